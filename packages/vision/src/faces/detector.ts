import sharp from 'sharp';
import { type FaceNetworks, planes } from '../networks/networks.ts';
import type { Pixels } from '../picture/decode.ts';
import { ANCHOR, anchorsFor } from './anchors.ts';
import { clip, type Scored, withoutOverlaps } from './boxes.ts';

/** Longer sides of the inputs looked at. The small one sees faces that fill the picture, the large one those in a crowd. */
const SIDES = [320, 640, 1_280] as const;

/** Boxes less sure than this are none. */
export const LEAST_CONFIDENCE = 0.7;
const MOST_OVERLAP = 0.4;

/** A single row of pixels still gets an input that the deepest layer can halve. */
const LEAST_SIDE = 32;

/** How the network was trained to read pixels, and to speak of boxes. */
const PIXEL_MEAN = 127;
const PIXEL_RANGE = 128;
const CENTRE_VARIANCE = 0.1;
const SIZE_VARIANCE = 0.2;

/** Inputs that can show something new: enlarging a small picture more than twice does not. */
const usefulSides = (longest: number): number[] => SIDES.filter((side, at) => at === 0 || longest > side / 2);

async function inputOf({ data, width, height }: Pixels, toWidth: number, toHeight: number): Promise<Float32Array> {
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(toWidth, toHeight, { fit: 'fill' })
    .raw()
    .toBuffer();
  const area = toWidth * toHeight;
  const input = new Float32Array(3 * area);
  for (let at = 0; at < area; at++)
    for (let plane = 0; plane < 3; plane++)
      input[plane * area + at] = (bytes[at * 3 + plane]! - PIXEL_MEAN) / PIXEL_RANGE;
  return input;
}

/** Boxes of the network's input from what its heads say of every anchor. */
export function readHeads(scores: Float32Array, offsets: Float32Array, anchors: Float32Array): Scored[] {
  const found: Scored[] = [];
  for (let at = 0; at < scores.length / 2; at++) {
    const confidence = scores[2 * at + 1]!;
    if (confidence < LEAST_CONFIDENCE) continue;
    found.push({ confidence, box: boxOf(offsets, anchors, at) });
  }
  return found;
}

export function boxOf(offsets: Float32Array, anchors: Float32Array, at: number) {
  const of = (values: Float32Array, field: number) => values[at * ANCHOR + field]!;
  const x = of(anchors, 0) + of(offsets, 0) * CENTRE_VARIANCE * of(anchors, 2);
  const y = of(anchors, 1) + of(offsets, 1) * CENTRE_VARIANCE * of(anchors, 3);
  const halfWidth = (of(anchors, 2) * Math.exp(of(offsets, 2) * SIZE_VARIANCE)) / 2;
  const halfHeight = (of(anchors, 3) * Math.exp(of(offsets, 3) * SIZE_VARIANCE)) / 2;
  return { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight };
}

/** Places of an upright picture that look like faces, surest first; some are not (see the landmarks). */
export async function detect(networks: FaceNetworks, pixels: Pixels): Promise<Scored[]> {
  const found: Scored[] = [];
  const longest = Math.max(pixels.width, pixels.height);
  for (const side of usefulSides(longest)) {
    const width = Math.max(LEAST_SIDE, Math.round((pixels.width * side) / longest));
    const height = Math.max(LEAST_SIDE, Math.round((pixels.height * side) / longest));
    const input = planes(await inputOf(pixels, width, height), width, height);
    const output = await networks.run('detector.onnx', { input });
    const [across, down] = [pixels.width / width, pixels.height / height];
    for (const { box, confidence } of readHeads(output('scores'), output('offsets'), anchorsFor(width, height))) {
      const full = { x1: box.x1 * across, y1: box.y1 * down, x2: box.x2 * across, y2: box.y2 * down };
      found.push({ confidence, box: clip(full, pixels.width, pixels.height) });
    }
  }
  return withoutOverlaps(found, MOST_OVERLAP);
}
