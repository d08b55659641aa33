import fc from 'fast-check';
import { accuracy, macroF1 } from './classification.js';

const labelled = (pairs: string) => pairs.split(' ').map((pair) => ({ expected: pair[0]!, predicted: pair[1]! }));

describe('accuracy and macro-F1', () => {
  it('by hand', () => {
    const items = labelled('aa aa ab bb ba ca');
    expect(accuracy(items)).toBeCloseTo(3 / 6, 12);
    // a: 2 hits, 3 asked, 4 said; b: 1, 2, 2; c: 0, 1, 0
    expect(macroF1(items)).toBeCloseTo((4 / 7 + 2 / 4 + 0) / 3, 12);
  });

  it('weighs a rare label like a frequent one', () => {
    const always = [...Array.from({ length: 99 }, () => ({ expected: 'a', predicted: 'a' })), ...labelled('ba')];
    expect(accuracy(always)).toBeCloseTo(0.99, 12);
    expect(macroF1(always)).toBeLessThan(0.5);
  });

  it('is 1 when all are right and lies in [0, 1] otherwise', () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    const items = fc.array(fc.record({ expected: letter, predicted: letter }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(items, (pairs) => {
        expect(macroF1(pairs.map(({ expected }) => ({ expected, predicted: expected })))).toBe(1);
        expect(macroF1(pairs)).toBeGreaterThanOrEqual(0);
        expect(macroF1(pairs)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
