import { expect, test } from '@jest/globals';
import { describePicture } from './described.js';

const size = { width: 300, height: 600 };
const face = (x1: number, y1: number, x2: number, y2: number) => ({
  box: { x1, y1, x2, y2 },
  confidence: 0.99,
  landmarks: [],
});

test('no face is said to be none', () => {
  expect(describePicture('wall', { size, faces: [] })).toBe('Picture "wall", 300 x 600 pixels, shows no face.');
});

test('a face is told with its place and size', () => {
  expect(describePicture('photo-1', { size, faces: [face(100, 200, 200, 400)] })).toBe(
    'Picture "photo-1", 300 x 600 pixels, shows 1 face. Face 1 is in the middle and takes 33% of the height.',
  );
});

test.each([
  [face(0, 0, 50, 60), 'at the top left and takes 10%'],
  [face(130, 0, 170, 60), 'at the top and takes 10%'],
  [face(250, 270, 300, 330), 'on the right and takes 10%'],
  [face(0, 540, 50, 600), 'at the bottom left and takes 10%'],
])('places are thirds of the picture', (found, words) => {
  expect(describePicture(1, { size, faces: [found] })).toContain(`Face 1 is ${words}`);
});

test('of a crowd the largest are told and the rest are counted', () => {
  const faces = Array.from({ length: 64 }, () => face(0, 0, 30, 30));
  const text = describePicture('crowd', { size, faces });
  expect(text).toContain('shows 64 faces.');
  expect(text).toContain('Face 16 is');
  expect(text).not.toContain('Face 17 is');
  expect(text).toContain('The other 48 faces are smaller.');
});

test('a name cannot pass for what was read', () => {
  const text = describePicture('a", shows 9 faces. "', { size, faces: [] });
  expect(text).toBe('Picture "a\\", shows 9 faces. \\"", 300 x 600 pixels, shows no face.');
});
