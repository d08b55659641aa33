import fc from 'fast-check';
import { encodeAtMost } from './bounded.js';
import { WordPiece } from './wordpiece.js';

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const wordpiece = WordPiece.fromVocab(
  ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...letters, ...letters.map((l) => `##${l}`)].join('\n'),
);

describe('encodeAtMost', () => {
  it('gives the pieces of the whole text, however long', () => {
    const words = fc.array(fc.stringMatching(/^[a-zé中.]{1,9}\u0301?$/u), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.constantFrom(' ', '\n', '\u00a0', ' \t '), (some, space) => {
        const text = some.join(space).repeat(300);
        expect(encodeAtMost(wordpiece, text, 1e9)).toEqual(wordpiece.encode(text));
      }),
      { numRuns: 30 },
    );
  });

  it('stops soon after the limit', () => {
    let read = 0;
    const counting = {
      encode: (text: string) => {
        read += text.length;
        return wordpiece.encode(text);
      },
    };
    expect(encodeAtMost(counting, 'a b '.repeat(5_000_000), 65_536)).toBeUndefined();
    expect(read).toBeLessThan(200_000);
    expect(encodeAtMost(wordpiece, 'ab '.repeat(8), 16)).toHaveLength(16);
    expect(encodeAtMost(wordpiece, 'ab '.repeat(8), 15)).toBeUndefined();
  });

  it('does not read millions of characters without a space', () => {
    const never = {
      encode: (): number[] => {
        throw new Error('read');
      },
    };
    expect(encodeAtMost({ encode: () => [] }, 'x'.repeat(1000), 10)).toEqual([]);
    expect(encodeAtMost(never, 'x'.repeat(5_000_000), 10)).toBeUndefined();
  });
});
