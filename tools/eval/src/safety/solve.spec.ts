import fc from 'fast-check';
import { solve } from './solve.js';

const value = fc.double({ min: -5, max: 5, noNaN: true });

describe('solve', () => {
  it('by hand, with a pivot of 0 on the way', () => {
    expect(
      solve(
        [
          [0, 2],
          [3, 1],
        ],
        [4, 5],
      ),
    ).toEqual([1, 2]);
  });

  it('gives back what a diagonally heavy system was made of', () => {
    const square = fc.integer({ min: 1, max: 8 }).chain((n) =>
      fc.record({
        matrix: fc.array(fc.array(value, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
        x: fc.array(value, { minLength: n, maxLength: n }),
      }),
    );
    fc.assert(
      fc.property(square, ({ matrix, x }) => {
        const heavy = matrix.map((row, i) => row.map((cell, j) => (i === j ? cell + 100 : cell)));
        const vector = heavy.map((row) => row.reduce((sum, cell, j) => sum + cell * x[j]!, 0));
        for (const [i, found] of solve(heavy, vector).entries()) expect(found).toBeCloseTo(x[i]!, 6);
      }),
    );
  });
});
