import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHeader } from '@assay/vision';
import { afterAll, expect, jest, test } from '@jest/globals';
import { flatPng, movingPng, png } from '../../../../../packages/vision/src/testing/hostile.js';
import { defaultModelsDir } from '../../config/places.js';
import { Refusal } from '../../http/refusal.js';
import { FakeBlobStore } from '../../storage/blobs/blob-store.fake.js';
import { PictureIntake } from '../intake.js';
import { KeptPictures } from '../uploads/kept-pictures.js';
import { FakeUploadStore } from '../uploads/upload-store.fake.js';
import { FaceModel } from './face-model.js';
import { PictureReading } from './picture-reading.js';

jest.setTimeout(120_000);

const fixtures = join(import.meta.dirname, '../../../../../packages/vision/fixtures');
const portrait = readFileSync(join(fixtures, 'eileen-collins.jpg'));
const kept = new KeptPictures(new FakeUploadStore(), new FakeBlobStore());
const model = new FaceModel({ root: defaultModelsDir, threads: 1 });
const reading = new PictureReading(new PictureIntake(kept), kept, model);
afterAll(() => model.close());

const call = { workspaceId: 'ws_a' };
const data = (bytes: Buffer) => bytes.toString('base64');
const refusalOf = async (work: Promise<unknown>): Promise<{ type: string; message: string | undefined }> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof Refusal) return { type: error.type, message: error.notes.message };
  throw new Error('no Refusal was thrown');
};

test('reads every picture of a request, named as the caller names it', async () => {
  const cat = readFileSync(join(fixtures, 'chelsea-the-cat.jpg'));
  const images = [{ id: 'portrait', data: data(portrait) }, { data: data(cat) }];
  await reading.check(images, call);
  const pictures = await reading.read(images, call, 'none');
  expect(pictures.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Picture "portrait", 480 x 480 pixels, shows 1 face. Face 1 is at the top and takes \d+%/),
    expect.stringMatching(/^Picture 2, 451 x 300 pixels, shows no face\.$/),
  ]);
});

test.each([
  ['a bomb', png({ width: 50_000, height: 50_000 }), '50000 x 50000'],
  ['a picture of too many pixels', flatPng(12_000, 12_000), '12000 x 12000'],
  ['an animation', movingPng(2), '2 frames'],
  ['a text', Buffer.from('words'), 'not a JPEG'],
  ['half a picture', portrait.subarray(0, portrait.length >> 1), 'damaged or incomplete'],
  ['a lie', png({ width: 7_000, height: 7_000 }), 'damaged or incomplete'],
])('%s is a 400 that names the image, and costs little', async (_what, bytes, words) => {
  const before = process.memoryUsage.rss();
  const images = [{ data: data(portrait) }, { id: 'bad', data: data(bytes) }];
  const refusal = await refusalOf(reading.check(images, call).then(() => reading.read(images, call, 'none')));
  expect(refusal.type).toBe('api_usage_error');
  expect(refusal.message).toMatch(/^Image "bad": /);
  expect(refusal.message).toContain(words);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
});

test('a url is a 400 of its own where fetching is off', async () => {
  const refusal = await refusalOf(reading.check([{ id: 'far', url: 'https://example.com/a.png' }], call));
  expect(refusal).toMatchObject({ type: 'image_url_refused', message: expect.stringContaining('Image "far"') });
});

test('an upload is read again and again, and once where nothing is retained', async () => {
  const { id } = await kept.keep('ws_a', portrait, readHeader(portrait));
  const images = [{ upload_id: id }];
  for (const zeroRetention of [false, true]) {
    expect((await reading.read(images, call, 'none'))[0]?.faces.faces).toHaveLength(1);
    await reading.useUp(images, { id: 'ws_a', zeroRetention });
  }
  expect((await refusalOf(reading.read(images, call, 'none'))).type).toBe('image_url_refused');
});

test('without a bundle that reads pictures they are refused', async () => {
  const none = new FaceModel({ root: mkdtempSync(join(tmpdir(), 'assay-no-models-')), threads: 1 });
  const blind = new PictureReading(new PictureIntake(kept), kept, none);
  const refusal = await refusalOf(blind.check([{ data: data(portrait) }], call));
  expect(refusal).toEqual({ type: 'api_usage_error', message: 'No installed model can read pictures.' });
});
