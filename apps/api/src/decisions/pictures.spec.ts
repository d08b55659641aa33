import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  flatPng,
  jpegClaiming,
  movingPng,
  png,
  webpClaiming,
} from '../../../../packages/vision/src/testing/hostile.js';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';

jest.setTimeout(120_000);

const fixtures = join(import.meta.dirname, '../../../../packages/vision/fixtures');
const portrait = readFileSync(join(fixtures, 'eileen-collins.jpg'));
const cat = readFileSync(join(fixtures, 'chelsea-the-cat.jpg'));
const QUESTIONS = { faces: { type: 'number', instructions: 'How many faces are there?', min: 0, max: 5 } };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const decide = (body: object, key = service.key) =>
  fetch(`${service.url}/v1/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny-latest', questions: QUESTIONS, ...body }),
  });
const image = (bytes: Buffer, id = 'photo') => ({ id, data: bytes.toString('base64') });
const upload = async (key = service.key): Promise<string> => {
  const response = await fetch(`${service.url}/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(portrait),
  });
  return ((await response.json()) as { upload_id: string }).upload_id;
};

interface Answered {
  answers: unknown;
  usage: { input_tokens: number };
}

test('pictures are read, answered on and billed by what was read in them', async () => {
  const bare = (await (await decide({ state: [] })).json()) as Answered;
  const response = await decide({ images: [image(portrait), image(cat, 'cat')] });
  expect(response.status).toBe(200);
  const body = (await response.json()) as Answered;
  const imageTokens = Number(response.headers.get('x-service-image-tokens'));
  expect(imageTokens).toBeGreaterThan(0);
  expect(body.usage.input_tokens).toBe(bare.usage.input_tokens + imageTokens);
});

test.each([
  ['a cat', { cat: { type: 'truth', instructions: 'Is there a cat?' } }, 'cat'],
  ['a mood', { ok: QUESTIONS.faces, mood: { type: 'truth', instructions: 'Is the person happy?' } }, 'mood'],
  ['the text beside it', { urgent: { type: 'truth', instructions: 'Does the customer need it today?' } }, 'urgent'],
  ['who it is, without collections', { who: { type: 'truth', instructions: 'Is this someone we know?' } }, 'who'],
])('a question about %s is refused by name, and not answered from nothing', async (_what, questions, name) => {
  const response = await decide({ state: 'I need it today!', images: [image(portrait)], questions });
  expect(response.status).toBe(400);
  const { detail } = (await response.json()) as { detail: { error_type: string; message: string } };
  expect(detail.error_type).toBe('api_usage_error');
  expect(detail.message).toMatch(new RegExp(`^Question "${name}" .*without the images`));
});

test('collections that nobody has are not found', async () => {
  const response = await decide({ images: [image(portrait)], collections: [`col_${'0'.repeat(32)}`] });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: { error_type: 'collection_not_found' } });
});

test('a picture is the same however it comes, and without one nothing is said of image tokens', async () => {
  const given = { state: { album: 'summer' } };
  const sent = await decide({ ...given, images: [image(portrait)] });
  const uploaded = await decide({ ...given, images: [{ id: 'photo', upload_id: await upload() }] });
  expect(await uploaded.json()).toEqual(await sent.json());
  expect(uploaded.headers.get('x-service-image-tokens')).toBe(sent.headers.get('x-service-image-tokens'));
  expect((await decide(given)).headers.has('x-service-image-tokens')).toBe(false);
});

test.each([
  ['a 50,000 x 50,000 PNG', png({ width: 50_000, height: 50_000 })],
  ['a PNG of 144 megapixels', flatPng(12_000, 12_000)],
  ['a JPEG that lies', jpegClaiming(7_000, 7_000)],
  ['a WebP canvas of terapixels', webpClaiming(1 << 24, 1 << 24)],
  ['an animation', movingPng(100_000)],
  ['half a portrait', portrait.subarray(0, 20_000)],
  ['a renamed text', Buffer.from('just words')],
])('%s is a 400 that names the image', async (_what, bytes) => {
  const before = process.memoryUsage.rss();
  const response = await decide({ images: [image(portrait, 'good'), image(bytes, 'bad')] });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    detail: { error_type: 'api_usage_error', message: expect.stringMatching(/^Image "bad": /) },
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
});

test.each([
  ['a url', () => ({ url: 'https://pictures.example/a.png' })],
  ['an unknown upload', () => ({ upload_id: `upl_${'0'.repeat(32)}` })],
])('%s is refused with a type of its own', async (_what, source) => {
  const response = await decide({ images: [source()] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ detail: { error_type: 'image_url_refused' } });
});

test("another workspace's upload is unknown", async () => {
  const id = await upload();
  expect((await decide({ images: [{ upload_id: id }] }, service.otherKey)).status).toBe(400);
  expect((await decide({ images: [{ upload_id: id }] })).status).toBe(200);
});

test('where nothing is retained an upload is good for one answer', async () => {
  const workspaceId = await service.newWorkspace('unlimited');
  await new PostgresWorkspaceStore(service.database.source).update(workspaceId, { zeroRetention: true });
  const key = await service.newKey(workspaceId);
  const images = [{ upload_id: await upload(key) }];
  expect((await decide({ images }, key)).status).toBe(200);
  expect((await decide({ images }, key)).status).toBe(400);
});
