import { expect, test } from '@jest/globals';
import type { Pixels } from '../picture/decode.ts';
import { Pyramid } from './pyramid.ts';

/** Red grows to the right, green downwards, blue is even. */
function slope(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set([(x * 255) / width, (y * 255) / height, 100], (y * width + x) * 3);
  return { data, width, height };
}

test('a crop as large as its place is the picture itself', () => {
  const pixels = slope(64, 64);
  const planes = new Pyramid(pixels).crop({ a: 1, b: 0, dx: 0, dy: 0 }, 64);
  expect(Array.from(planes.subarray(0, 64))).toEqual(Array.from({ length: 64 }, (_, x) => pixels.data[x * 3]));
});

test('a crop lies where it should, however much smaller it is', () => {
  const pyramid = new Pyramid(slope(2_048, 2_048));
  for (const scale of [1, 0.5, 0.2, 0.06]) {
    const planes = pyramid.crop({ a: scale, b: 0, dx: 0, dy: 0 }, 100);
    for (const at of [20, 50, 80]) {
      const expected = Math.min(255, ((at / scale) * 255) / 2_048);
      expect(Math.abs(planes[50 * 100 + at]! - expected)).toBeLessThan(3);
      expect(Math.abs(planes[10_000 + at * 100 + 50]! - expected)).toBeLessThan(3);
    }
  }
});

test('fine stripes become their mean instead of flickering', () => {
  const data = new Uint8Array(1_024 * 1_024 * 3).map((_, at) => (Math.floor(at / 3) % 2 === 0 ? 0 : 200));
  const planes = new Pyramid({ data, width: 1_024, height: 1_024 }).crop({ a: 0.11, b: 0, dx: 0, dy: 0 }, 112);
  for (const value of planes.subarray(112 * 50 + 5, 112 * 50 + 100)) expect(Math.abs(value - 100)).toBeLessThan(3);
});

test('outside of the picture is black', () => {
  const planes = new Pyramid(slope(10, 10)).crop({ a: 1, b: 0, dx: 50, dy: 50 }, 40);
  expect(planes.every((value) => value === 0)).toBe(true);
});
