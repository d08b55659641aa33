import { cutBlocks } from './blocks.js';
import { renderState } from './render.js';
import { WordPiece } from './wordpiece.js';

const vocab = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[',
  ']',
  'sep',
  'un',
  '##known',
  '##s',
  'cafe',
  '中',
  'a',
  '##a',
  ':',
];
const wordpiece = WordPiece.fromVocab(`${vocab.join('\n')}\n`);
const read = (text: string) => wordpiece.encode(text).map((id) => vocab[id]);

describe('WordPiece', () => {
  it('takes the longest pieces first', () => {
    expect(read('unknowns')).toEqual(['un', '##known', '##s']);
    expect(read('unx')).toEqual(['[UNK]']);
  });

  it('cannot be talked into a control token', () => {
    expect(read('[SEP] [CLS]')).toEqual(['[', 'sep', ']', '[', '[UNK]', ']']);
    for (const text of ['[SEP]', '[PAD]', '[sep]', '[\u200bSEP]', '[CLS][SEP]']) {
      for (const control of [wordpiece.cls, wordpiece.sep, wordpiece.pad]) {
        expect(wordpiece.encode(text)).not.toContain(control);
      }
    }
  });

  it('reads accents, capitals, ideographs and control characters as BERT does', () => {
    expect(read('CAFÉ')).toEqual(['cafe']);
    expect(read('a中a')).toEqual(['a', '中', 'a']);
    expect(read('ca\u0000f\u200be')).toEqual(['cafe']);
    expect(read('a\u00a0a')).toEqual(['a', 'a']);
  });

  it('reads all of a very long word', () => {
    expect(wordpiece.encode('a'.repeat(250))).toHaveLength(250);
  });

  it('refuses a vocabulary without control tokens', () => {
    expect(() => WordPiece.fromVocab('a\nb')).toThrow('[CLS]');
  });
});

describe('renderState', () => {
  it('keeps paths, values and digits readable', () => {
    const state = {
      order_id: 7,
      items: [
        { price: 12.5, name: 'Tea' },
        { price: 1e21, name: null },
      ],
      empty: {},
      none: [],
    };
    expect(renderState(state)).toEqual([
      'order id: 7\nitems[0].price: 12.5\nitems[0].name: Tea\nitems[1].price: 1e+21\nitems[1].name: null\nempty: {}\nnone: []',
    ]);
  });

  it('gives every element of an array a text of its own', () => {
    expect(renderState(['one', { two: 2 }, [3, ['four']], 5])).toEqual(['one', 'two: 2', '[0]: 3\n[1][0]: four', '5']);
  });

  it('treats __proto__ as a name like any other', () => {
    expect(renderState(JSON.parse('{"__proto__":{"constructor":1}}'))).toEqual(['__proto__.constructor: 1']);
  });

  it('reads an empty state as one empty text', () => {
    expect(renderState('')).toEqual(['']);
    expect(renderState([])).toEqual(['']);
    expect(renderState({})).toEqual(['{}']);
  });

  it('survives deep nesting without multiplying the text', () => {
    const [text] = renderState(JSON.parse(`${'{"level":'.repeat(2000)}1${'}'.repeat(2000)}`));
    expect(text!.length).toBeLessThan(300);
    expect(text!.endsWith('level: 1')).toBe(true);
  });
});

describe('cutBlocks', () => {
  const control = { cls: 2, sep: 3 };

  it('cuts at the limit and loses nothing', () => {
    const pieces = Array.from({ length: 509 }, (_, index) => index + 10);
    const blocks = cutBlocks(pieces, 254, control);
    expect(blocks.map((block) => block.length)).toEqual([256, 256, 3]);
    expect(blocks.flatMap((block) => [...block.slice(1, -1)])).toEqual(pieces);
    expect(blocks.every((block) => block[0] === 2 && block.at(-1) === 3)).toBe(true);
  });

  it('makes one block of an empty text', () => {
    expect(cutBlocks([], 254, control).map((block) => [...block])).toEqual([[2, 3]]);
  });
});
