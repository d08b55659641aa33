import { type FaceNetworks, planes } from '../networks/networks.ts';
import type { Point } from '../picture/orientation.ts';
import type { Pyramid } from './pyramid.ts';
import { fit } from './transform.ts';

const SIDE = 112;
export const TEMPLATE_NUMBERS = 128;

/** Where the network was trained to see the eyes, the nose and the corners of the mouth. */
const PLACES: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];

/** What is kept of a face: 128 numbers of length 1 together. Two of the same person point the same way. */
export async function makeTemplate(
  networks: FaceNetworks,
  pyramid: Pyramid,
  landmarks: readonly Point[],
): Promise<Float32Array> {
  const crop = pyramid.crop(fit(landmarks, PLACES), SIDE);
  const output = await networks.run('template.onnx', { data: planes(crop, SIDE, SIDE) });
  const raw = output('fc1');
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
