import { PICTURE_LIMITS } from '@assay/vision';
import { MAX_BASE64_CHARACTERS } from './base64.js';
import { PictureFetcher, PUBLIC_INTERNET } from './fetch/picture-fetcher.js';
import { ImageError } from './image-error.js';
import { type ImageObject, PictureIntake } from './intake.js';
import { origin } from './testing/origin.js';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const BYTES = Buffer.from(DOT, 'base64');
const UPLOAD = `upl_${'0'.repeat(32)}`;

const uploads = {
  read: async (workspace: string, id: string) => (workspace === 'ws_a' && id === UPLOAD ? BYTES : undefined),
};

const take = (image: ImageObject, fetcher?: PictureFetcher, workspaceId = 'ws_a') =>
  new PictureIntake(uploads, fetcher).take(image, { workspaceId, position: 3 });

const errorOf = async (image: ImageObject, workspaceId?: string): Promise<ImageError> => {
  const error: unknown = await take(image, undefined, workspaceId).catch((thrown: unknown) => thrown);
  if (error instanceof ImageError) return error;
  throw new Error('no ImageError was thrown');
};

test('takes base64 with its padding and without', async () => {
  for (const data of [DOT, DOT.replace(/=+$/, '')]) {
    const { bytes, header } = await take({ id: 'a', data });
    expect(bytes).toEqual(BYTES);
    expect(header).toMatchObject({ mediaType: 'image/png', width: 1, height: 1 });
  }
});

test.each([
  ['a line break', `${DOT.slice(0, 40)}\n${DOT.slice(40)}`],
  ['the url alphabet', 'iVBORw0KGgo-_AAA'],
  ['a data url', `data:image/png;base64,${DOT}`],
  ['words', 'not base64 at all'],
  ['padding in the middle', 'iVBO====Rw0K'],
  ['one digit too many', 'iVBOR'],
  ['padding of the wrong length', 'iVBORw='],
])('refuses %s as base64', async (_what, data) => {
  const error = await errorOf({ id: 'photo', data });
  expect(error.kind).toBe('not_base64');
  expect(error.message).toMatch(/^Image "photo": /);
});

test('judges the length of base64 before it decodes', async () => {
  const error = await errorOf({ data: 'A'.repeat(MAX_BASE64_CHARACTERS + 4) });
  expect(error).toMatchObject({ kind: 'unreadable', image: 3 });
  expect(error.message).toBe(`Image 3: the picture is over ${PICTURE_LIMITS.bytes} bytes`);
});

test('goes by content, whatever the media type says', async () => {
  expect((await take({ data: DOT, media_type: 'image/jpeg' })).header.mediaType).toBe('image/png');
  const text = Buffer.from('just words, renamed').toString('base64');
  expect((await errorOf({ data: text, media_type: 'image/png' })).kind).toBe('unreadable');
});

test("takes a workspace's own upload and no other's", async () => {
  expect((await take({ upload_id: UPLOAD })).bytes).toEqual(BYTES);
  expect((await errorOf({ upload_id: UPLOAD }, 'ws_b')).kind).toBe('upload_unknown');
  expect((await errorOf({ upload_id: 'upl_unknown' })).kind).toBe('upload_unknown');
});

test('fetches nothing where fetching is off', async () => {
  await using site = await origin((_request, response) => response.end(BYTES));
  const error = await errorOf({ url: `http://127.0.0.1:${site.port}/` });
  expect(error.kind).toBe('url_refused');
  expect(site.connections()).toBe(0);
});

test('checks an image without fetching it', async () => {
  await using site = await origin((_request, response) => response.end(BYTES));
  const policy = { ...PUBLIC_INTERNET, ports: [site.port], isAllowed: (address: string) => address === '127.0.0.1' };
  const intake = new PictureIntake(uploads, new PictureFetcher(policy));
  const check = (image: ImageObject) => intake.check(image, { workspaceId: 'ws_a', position: 1 });
  await check({ url: `http://127.0.0.1:${site.port}/dot.png` });
  await check({ data: DOT });
  await check({ upload_id: UPLOAD });
  await expect(check({ url: `http://[::1]:${site.port}/` })).rejects.toMatchObject({ kind: 'url_refused', image: 1 });
  await expect(check({ data: 'words' })).rejects.toMatchObject({ kind: 'not_base64' });
  await expect(check({ upload_id: 'upl_unknown' })).rejects.toMatchObject({ kind: 'upload_unknown' });
  expect(site.connections()).toBe(0);
});

test('takes a fetched picture, and tells refused urls from those that do not deliver', async () => {
  await using site = await origin((request, response) =>
    request.url === '/dot.png' ? response.end(BYTES) : response.writeHead(404).end('words'),
  );
  const fetcher = new PictureFetcher({
    ...PUBLIC_INTERNET,
    resolve: async () => ['127.0.0.1'],
    isAllowed: (address) => address === '127.0.0.1',
    ports: [site.port],
  });
  const at = (path: string) => ({ id: 'far', url: `http://pictures.example:${site.port}${path}` });
  expect((await take(at('/dot.png'), fetcher)).bytes).toEqual(BYTES);
  await expect(take(at('/none.png'), fetcher)).rejects.toMatchObject({ kind: 'url_unreached', image: 'far' });
  await expect(take({ id: 'far', url: 'http://[::1]/' }, fetcher)).rejects.toMatchObject({ kind: 'url_refused' });
});
