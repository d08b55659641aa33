import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anchorsFor } from '../../../packages/vision/src/faces/anchors.js';
import { boxOf } from '../../../packages/vision/src/faces/detector.js';
import { FaceNetworks, planes } from '../../../packages/vision/src/networks/networks.js';
import { blobs, DETECTOR_INPUT, LANDMARKS_SIDE, type References, TEMPLATE_SIDE } from './references.js';

const BUNDLE = join(import.meta.dirname, '../../../packages/models/assay-faces-1.0');
const references: References = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/references.json'), 'utf8'),
);

let networks: FaceNetworks;
beforeAll(async () => {
  networks = await FaceNetworks.load(BUNDLE, { threads: 1 });
});
afterAll(() => networks.close());

const furthest = (ours: ArrayLike<number>, theirs: readonly number[]): number =>
  Math.max(...theirs.map((value, at) => Math.abs(value - ours[at]!)));

test('the detector and our anchors say what the original says', async () => {
  const { width, height } = DETECTOR_INPUT;
  const input = planes(
    blobs(width, height, 3).map((value) => value * 2 - 1),
    width,
    height,
  );
  const output = await networks.run('detector.onnx', { input });
  const [scores, offsets, anchors] = [output('scores'), output('offsets'), anchorsFor(width, height)];
  expect(scores).toHaveLength(2 * 4_420);
  expect(anchors).toHaveLength(4 * 4_420);
  references.detector.boxes.forEach((box, sample) => {
    const at = sample * references.detector.step;
    const { x1, y1, x2, y2 } = boxOf(offsets, anchors, at);
    expect(furthest([x1 / width, y1 / height, x2 / width, y2 / height], box)).toBeLessThan(1e-5);
    expect(scores[2 * at + 1]).toBeCloseTo(references.detector.scores[sample]!, 5);
  });
});

test('the landmark network says what its TensorFlow Lite file says', async () => {
  const picture = planes(blobs(LANDMARKS_SIDE, LANDMARKS_SIDE, 5), LANDMARKS_SIDE, LANDMARKS_SIDE);
  const output = await networks.run('landmarks.onnx', { picture });
  const points = output('points').filter((_, at) => at % 11 === 0);
  expect(points).toHaveLength(references.landmarks.points.length);
  expect(furthest(points, references.landmarks.points)).toBeLessThan(1e-2);
  expect(output('presence')[0]).toBeCloseTo(references.landmarks.presence, 2);
});

test('templates point where those of the original point', async () => {
  const data = planes(
    blobs(TEMPLATE_SIDE, TEMPLATE_SIDE, 7).map((value) => value * 255),
    TEMPLATE_SIDE,
    TEMPLATE_SIDE,
  );
  const numbers = (await networks.run('template.onnx', { data }))('fc1');
  const original = references.template.numbers;
  const dot = original.reduce((sum, value, at) => sum + value * numbers[at]!, 0);
  expect(dot / (Math.hypot(...original) * Math.hypot(...numbers))).toBeGreaterThan(0.999_99);
});
