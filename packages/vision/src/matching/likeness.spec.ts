import { expect, test } from '@jest/globals';
import { cosineOf, similarityOf, thresholdAmong } from './likeness.ts';

test('a threshold keeps what was measured: among 1,559 people one stranger in a hundred at 0.477', () => {
  expect(thresholdAmong(1_559)).toBeCloseTo(0.477, 2);
});

test('it rises with the number of faces compared, from one false match in 10,000 on', () => {
  const thresholds = [0, 1, 100, 10_000, 1_000_000].map(thresholdAmong);
  expect(thresholds).toEqual([...thresholds].sort((a, b) => a - b));
  expect(thresholds[0]).toBe(0.409);
  expect(thresholds.at(-1)).toBeGreaterThan(0.55);
  expect(thresholds.at(-1)).toBeLessThan(0.65);
});

test('similarity is a probability, rises, and can be turned back', () => {
  expect(similarityOf(0)).toBeLessThan(0.001);
  expect(similarityOf(0.3175)).toBeCloseTo(0.5, 5);
  expect(similarityOf(0.477)).toBeGreaterThan(0.99);
  for (const cosine of [0.25, 0.3, 0.4, 0.477]) expect(cosineOf(similarityOf(cosine))).toBeCloseTo(cosine, 6);
  expect([cosineOf(0), cosineOf(1)]).toEqual([-1, 1]);
});
