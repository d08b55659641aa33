import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { FaceBundleUnusable } from '../networks/bundle.ts';
import type { RunSession } from '../networks/networks.ts';
import { areaOf, overlap } from './boxes.ts';
import { type Face, FaceReader, isEligible } from './face-reader.ts';

jest.setTimeout(120_000);

const BUNDLE = join(import.meta.dirname, '../../../models/assay-faces-1.0');
const picture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures', name));
const hopper = picture('grace-hopper.jpg');
const collins = picture('eileen-collins.jpg');

/** Twice as alike as strangers ever were, and far less than the same person: a line for tests, not for users. */
const ALIKE = 0.5;
const STRANGE = 0.3;
const alike = (a: Face | undefined, b: Face | undefined) =>
  a && b ? a.template.reduce((sum, value, at) => sum + value * b.template[at]!, 0) : Number.NaN;

let reader: FaceReader;
let hopperFace: Face;
let collinsFace: Face;
beforeAll(async () => {
  reader = await FaceReader.load(BUNDLE, { threads: 1 });
  [hopperFace] = (await reader.faces(hopper)) as [Face];
  [collinsFace] = (await reader.faces(collins)) as [Face];
});
afterAll(() => reader.close());

test('finds the one face of a portrait, where it is', async () => {
  const { faces } = await reader.find(collins);
  expect(faces).toHaveLength(1);
  expect(isEligible(faces[0]!)).toBe(true);
  expect(overlap(faces[0]!.box, { x1: 167, y1: 73, x2: 256, y2: 170 })).toBeGreaterThan(0.7);
  const [leftEye, rightEye, nose, leftMouth, rightMouth] = faces[0]!.landmarks;
  expect(leftEye!.x).toBeLessThan(rightEye!.x);
  expect(leftMouth!.x).toBeLessThan(rightMouth!.x);
  expect(nose!.y).toBeGreaterThan(leftEye!.y);
  expect(nose!.y).toBeLessThan(leftMouth!.y);
});

test('two people are strangers', () => {
  expect(alike(hopperFace, collinsFace)).toBeLessThan(STRANGE);
  expect(Math.hypot(...hopperFace.template)).toBeCloseTo(1, 5);
});

test.each<[string, (image: Sharp) => Sharp]>([
  ['small', (image) => image.resize(160)],
  ['large', (image) => image.resize(2_400)],
  ['mirrored', (image) => image.flop()],
  ['dark', (image) => image.modulate({ brightness: 0.35 })],
  ['grey', (image) => image.greyscale()],
  ['tilted', (image) => image.rotate(15)],
  ['coarse', (image) => image.jpeg({ quality: 20 })],
])('knows the same face when the picture is %s', async (_how, change) => {
  const faces = await reader.faces(await change(sharp(hopper)).toBuffer());
  const likeness = faces.map((face) => alike(face, hopperFace));
  expect(Math.max(...likeness)).toBeGreaterThan(ALIKE);
  for (const face of faces) expect(alike(face, collinsFace)).toBeLessThan(STRANGE);
});

test.each([2, 3, 6, 8] as const)('undoes orientation %i: the box lies in the picture as sent', async (orientation) => {
  const upside = { 2: (i: Sharp) => i.flop(), 3: (i: Sharp) => i.rotate(180) };
  const turn = { ...upside, 6: (i: Sharp) => i.rotate(-90), 8: (i: Sharp) => i.rotate(90) }[orientation];
  const stored = await turn(sharp(hopper)).png().toBuffer();
  const sent = await sharp(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
  const [face] = await reader.faces(sent);
  expect(alike(face, hopperFace)).toBeGreaterThan(0.95);
  const { width, height } = await sharp(stored).metadata();
  const { x1, y1, x2, y2 } = hopperFace.box;
  const where = {
    2: { x1: width - x2, x2: width - x1, y1, y2 },
    3: { x1: width - x2, x2: width - x1, y1: height - y2, y2: height - y1 },
    6: { x1: y1, x2: y2, y1: height - x2, y2: height - x1 },
    8: { x1: width - y2, x2: width - y1, y1: x1, y2: x2 },
  }[orientation];
  expect(overlap(face!.box, where)).toBeGreaterThan(0.9);
});

test('finds everyone in a group, the largest first, each as in the portrait', async () => {
  const group = await sharp({ create: { width: 1_300, height: 700, channels: 3, background: '#787' } })
    .composite([
      { input: collins, left: 20, top: 100 },
      { input: hopper, left: 700, top: 100 },
    ])
    .jpeg()
    .toBuffer();
  const faces = await reader.faces(group);
  expect(faces).toHaveLength(2);
  expect(areaOf(faces[0]!.box)).toBeGreaterThan(areaOf(faces[1]!.box));
  expect(alike(faces[0], hopperFace)).toBeGreaterThan(0.9);
  expect(alike(faces[1], collinsFace)).toBeGreaterThan(0.9);
});

test('a cat, a wall and a single pixel have no face', async () => {
  const wall = sharp({ create: { width: 400, height: 300, channels: 3, background: '#a98' } });
  const pictures = [
    picture('chelsea-the-cat.jpg'),
    await wall.png().toBuffer(),
    await wall.resize(1, 1).png().toBuffer(),
  ];
  for (const bytes of pictures) expect((await reader.find(bytes)).faces).toEqual([]);
});

test('the same bytes give the same faces and templates, alone, at once, and in another reader', async () => {
  const other = await FaceReader.load(BUNDLE, { threads: 2 });
  const runs = await Promise.all([
    reader.faces(hopper),
    reader.faces(hopper),
    reader.faces(collins),
    other.faces(hopper),
  ]);
  await other.close();
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[3]).toEqual(runs[0]);
  expect(runs[0]).toEqual([hopperFace]);
});

test('every run of a network goes through the runner that was given', async () => {
  let turns = 0;
  let open = true;
  const run: RunSession = (session, feeds) => {
    turns++;
    return open ? session.run(feeds) : Promise.reject(new Error('no turn is left'));
  };
  const scheduled = await FaceReader.load(BUNDLE, { threads: 1, run });
  await scheduled.faces(collins);
  // Two sizes for a picture of 480 pixels, two looks at the face, its template; looks at what is no face besides.
  expect(turns).toBeGreaterThanOrEqual(5);
  open = false;
  await expect(scheduled.find(collins)).rejects.toThrow('no turn is left');
  await scheduled.close();
});

test('stops when nobody waits any more', async () => {
  await expect(reader.find(hopper, AbortSignal.abort())).rejects.toThrow();
});

test('refuses a bundle with a changed or missing file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-faces-'));
  cpSync(BUNDLE, folder, { recursive: true });
  const detector = join(folder, 'detector.onnx');
  const bytes = readFileSync(detector);
  bytes[1_000]! ^= 1;
  writeFileSync(detector, bytes);
  await expect(FaceReader.load(folder, { threads: 1 })).rejects.toThrow('missing or changed: detector.onnx');
  rmSync(detector);
  await expect(FaceReader.load(folder, { threads: 1 })).rejects.toThrow(FaceBundleUnusable);
  rmSync(folder, { recursive: true });
});
