import { expect, test } from '@jest/globals';
import { areaOf, clip, overlap, withoutOverlaps } from './boxes.ts';

const box = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 });

test('overlap is the common share of both', () => {
  expect(overlap(box(0, 0, 10, 10), box(0, 0, 10, 10))).toBe(1);
  expect(overlap(box(0, 0, 10, 10), box(5, 0, 15, 10))).toBeCloseTo(1 / 3);
  expect(overlap(box(0, 0, 10, 10), box(20, 20, 30, 30))).toBe(0);
  expect(overlap(box(3, 3, 3, 3), box(3, 3, 3, 3))).toBe(0);
});

test('a box is clipped to its picture', () => {
  expect(clip(box(-5, -5, 50, 20), 30, 40)).toEqual(box(0, 0, 30, 20));
  expect(areaOf(clip(box(-9, 0, -2, 20), 30, 40))).toBe(0);
});

test('of boxes on each other the surest stays, in whatever order they come', () => {
  const found = [
    { box: box(0, 0, 10, 10), confidence: 0.8 },
    { box: box(1, 0, 11, 10), confidence: 0.9 },
    { box: box(40, 0, 50, 10), confidence: 0.7 },
  ];
  const kept = [found[1], found[2]];
  expect(withoutOverlaps(found, 0.4)).toEqual(kept);
  expect(withoutOverlaps(found.toReversed(), 0.4)).toEqual(kept);
});
