import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flatPng, movingPng, png, webpClaiming } from '../../../../packages/vision/src/testing/hostile.js';
import { UPLOAD_LIFETIME_MS } from '../images/uploads/upload.js';
import { startTestService, type TestService } from '../walks/test-service.js';

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const upload = (body: Buffer, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'image/png', ...headers },
    body: new Uint8Array(body),
  });

test('a picture gets an id that is good for 24 hours', async () => {
  const response = await upload(DOT);
  expect(response.status).toBe(201);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  const { created_at, expires_at, ...rest } = (await response.json()) as Record<string, string>;
  expect(rest).toEqual({
    upload_id: expect.stringMatching(/^upl_[0-9a-f]{32}$/),
    media_type: 'image/png',
    bytes: DOT.length,
    width: 1,
    height: 1,
  });
  expect(Date.parse(expires_at!) - Date.parse(created_at!)).toBe(UPLOAD_LIFETIME_MS);
});

test('what it is, is read from the bytes; a Decisions-only key may upload', async () => {
  const response = await upload(DOT, {
    'content-type': 'image/jpeg',
    authorization: `Bearer ${service.decisionsKey}`,
  });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ media_type: 'image/png' });
});

test.each([
  ['a 50,000 x 50,000 PNG', png({ width: 50_000, height: 50_000 }), '50000 x 50000'],
  ['a PNG of 144 megapixels', flatPng(12_000, 12_000), '12000 x 12000'],
  ['a WebP canvas of terapixels', webpClaiming(1 << 24, 1 << 24), 'pixels'],
  ['an animation', movingPng(9), '9 frames'],
  ['a text file', Buffer.from('only words'), 'not a JPEG, PNG or WebP'],
  ['nothing', Buffer.alloc(0), 'not a JPEG, PNG or WebP'],
])('%s is refused by its header', async (_what, bytes, message) => {
  const before = process.memoryUsage.rss();
  const response = await upload(bytes);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    detail: { error_type: 'api_usage_error', message: expect.stringContaining(message) },
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
});

test('a body over the limit is a 413, whatever it holds', async () => {
  const response = await upload(Buffer.alloc(26_214_401));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ detail: { error_type: 'request_too_large_error' } });
});

test('without a key nothing is read', async () => {
  expect((await upload(DOT, { authorization: 'Bearer nothing' })).status).toBe(401);
});
