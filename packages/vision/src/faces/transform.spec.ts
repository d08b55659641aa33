import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apply, fit, inverse, ontoCrop } from './transform.ts';

const number = fc.double({ min: -1_000, max: 1_000, noNaN: true });
const point = fc.record({ x: number, y: number });
const similarity = fc
  .record({ scale: fc.double({ min: 0.05, max: 20, noNaN: true }), turn: fc.double({ min: -3, max: 3, noNaN: true }) })
  .chain(({ scale, turn }) =>
    fc.record({
      a: fc.constant(scale * Math.cos(turn)),
      b: fc.constant(scale * Math.sin(turn)),
      dx: number,
      dy: number,
    }),
  );
const face = [
  { x: 10, y: 10 },
  { x: 40, y: 11 },
  { x: 25, y: 30 },
  { x: 14, y: 45 },
  { x: 37, y: 44 },
];

test('the inverse brings every point back', () => {
  fc.assert(
    fc.property(similarity, point, (onto, from) => {
      const back = apply(inverse(onto), apply(onto, from));
      expect(back.x).toBeCloseTo(from.x, 4);
      expect(back.y).toBeCloseTo(from.y, 4);
    }),
  );
});

test('a fit finds the turn, scale and shift that moved a face', () => {
  fc.assert(
    fc.property(similarity, (moved) => {
      const found = fit(
        face,
        face.map((corner) => apply(moved, corner)),
      );
      for (const part of ['a', 'b', 'dx', 'dy'] as const) expect(found[part]).toBeCloseTo(moved[part], 4);
    }),
  );
});

test('a crop has its centre in its middle, whatever the turn', () => {
  fc.assert(
    fc.property(point, fc.double({ min: -3, max: 3, noNaN: true }), (centre, turn) => {
      const { x, y } = apply(ontoCrop(centre, 100, turn, 256), centre);
      expect(x).toBeCloseTo(128, 6);
      expect(y).toBeCloseTo(128, 6);
    }),
  );
});
