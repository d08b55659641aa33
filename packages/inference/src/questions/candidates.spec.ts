import * as choice from './choice.js';
import * as number from './number.js';
import * as score from './score.js';
import { CANDIDATE_PIECES, CandidateTooLongError, statementTokens } from './statement.js';
import * as truth from './truth.js';

describe('candidates', () => {
  it('names a choice as it was sent and describes it when there is a description', () => {
    const question = { type: 'choice' as const, criteria: { card_lost: 'A card is gone.', other: null, blank: '' } };
    expect(choice.candidates(question)).toEqual([
      { name: 'card_lost', text: 'card lost: A card is gone.' },
      { name: 'other', text: 'other' },
      { name: 'blank', text: 'blank' },
    ]);
  });

  it('claims a truth once', () => {
    expect(truth.candidates({ type: 'truth' })).toEqual([{ name: 'true', text: 'yes' }]);
    expect(truth.candidates({ type: 'truth', criteria: { true: 'paid', false: 'open' } })[0]!.text).toBe(
      'yes: paid (no: open)',
    );
  });

  it('places a level on its scale', () => {
    expect(score.candidates({ type: 'score' }).map((level) => level.text)).toEqual(
      [1, 2, 3, 4, 5].map((level) => `level ${level} of 1 to 5`),
    );
    expect(score.candidates({ type: 'score', criteria: { '0': 'bad', '1': null } }).map((level) => level.text)).toEqual(
      ['0: bad', 'level 1 of 0 to 1'],
    );
  });

  it('walks the grid of a number without binary noise', () => {
    expect(number.grid({ type: 'number', min: 0.1, max: 3.1, step: 1 })).toEqual([0.1, 1.1, 2.1, 3.1]);
    expect(number.grid({ type: 'number', min: -2, max: 3, step: 2 })).toEqual([-2, 0, 2]);
    expect(number.candidates({ type: 'number', min: 4, max: 4 })).toEqual([{ name: '4', text: '4' }]);
  });
});

describe('statementTokens', () => {
  const tokenizer = { cls: 1, sep: 2, encode: (text: string) => text.split(' ').filter(Boolean).map(Number) };
  const words = (count: number) => Array.from({ length: count }, (_, index) => index + 10).join(' ');

  it('joins instructions and candidate', () => {
    expect([...statementTokens(tokenizer, '10 11', '12').tokens]).toEqual([1, 10, 11, 2, 12, 2]);
    expect([...statementTokens(tokenizer, '', '12').tokens]).toEqual([1, 12, 2]);
  });

  it('hands back what long instructions have no room for', () => {
    const { tokens, overflow } = statementTokens(tokenizer, words(310), words(CANDIDATE_PIECES));
    expect(overflow).toEqual(Array.from({ length: 10 }, (_, index) => index + 10));
    expect(tokens).toHaveLength(1 + 300 + 1 + CANDIDATE_PIECES + 1);
    expect(tokens[1]).toBe(20);
  });

  it('refuses a candidate that does not fit, and names it', () => {
    const long = words(CANDIDATE_PIECES + 1);
    expect(() => statementTokens(tokenizer, '', long)).toThrow(CandidateTooLongError);
    expect(() => statementTokens(tokenizer, '', long)).toThrow(
      expect.objectContaining({ candidate: long, pieces: 191 }),
    );
  });
});
