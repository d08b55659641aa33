import { readHeader } from '@assay/vision';
import { describe, expect, it } from '@jest/globals';
import { FakeBlobStore } from '../../storage/blobs/blob-store.fake.js';
import { KeptPictures } from './kept-pictures.js';
import { UPLOAD_LIFETIME_MS } from './upload.js';
import { FakeUploadStore } from './upload-store.fake.js';

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function opened() {
  let now = Date.now();
  const blobs = new FakeBlobStore();
  const kept = new KeptPictures(new FakeUploadStore(), blobs, () => new Date(now));
  const names = async () => {
    const found: string[] = [];
    for await (const { name } of blobs.list('')) found.push(name);
    return found;
  };
  const later = (ms: number) => {
    now += ms;
  };
  return { blobs, kept, names, later, keep: () => kept.keep('ws_a', DOT, readHeader(DOT)) };
}

describe('kept pictures', () => {
  it('come back byte for byte, to their workspace', async () => {
    const { kept, keep } = opened();
    const { id, expiresAt, createdAt, ...facts } = await keep();
    expect(id).toMatch(/^upl_[0-9a-f]{32}$/);
    expect(facts).toEqual({ workspaceId: 'ws_a', mediaType: 'image/png', bytes: DOT.length, width: 1, height: 1 });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(UPLOAD_LIFETIME_MS);
    expect(await kept.read('ws_a', id)).toEqual(DOT);
    expect(await kept.read('ws_b', id)).toBeUndefined();
  });

  it('cannot be read after their time, and leave nothing behind', async () => {
    const { kept, keep, later, names } = opened();
    const { id } = await keep();
    later(UPLOAD_LIFETIME_MS);
    expect(await kept.read('ws_a', id)).toBeUndefined();
    await kept.forgetExpired();
    expect(await names()).toEqual([]);
  });

  it('stay while others expire', async () => {
    const { kept, keep, later } = opened();
    await keep();
    later(1);
    const { id } = await keep();
    later(UPLOAD_LIFETIME_MS - 1);
    await kept.forgetExpired();
    expect(await kept.read('ws_a', id)).toEqual(DOT);
  });

  it('are forgotten at once when asked, by their workspace only, and twice is fine', async () => {
    const { kept, keep, names } = opened();
    const { id } = await keep();
    await kept.forget('ws_b', id);
    expect(await kept.read('ws_a', id)).toEqual(DOT);
    await kept.forget('ws_a', id);
    await kept.forget('ws_a', id);
    expect(await kept.read('ws_a', id)).toBeUndefined();
    expect(await names()).toEqual([]);
  });

  it('sweep away a blob whose process died before the row was written', async () => {
    const { blobs, kept, names, later } = opened();
    await blobs.put(
      'uploads/upl_orphan',
      (async function* () {
        yield DOT;
      })(),
    );
    await blobs.put(
      'batches/other',
      (async function* () {
        yield DOT;
      })(),
    );
    await kept.forgetExpired();
    expect(await names()).toHaveLength(2);
    later(3 * UPLOAD_LIFETIME_MS);
    await kept.forgetExpired();
    expect(await names()).toEqual(['batches/other']);
  });
});
