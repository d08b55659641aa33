import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blobStoreContract } from './blob-store.contract.js';
import { FakeBlobStore } from './blob-store.fake.js';
import { FolderBlobStore } from './folder-blob-store.js';
import { openBlobStore, s3Place } from './open-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';
import { S3Double } from './testing/s3-double.js';

describe('the fake', () => blobStoreContract(() => new FakeBlobStore()));

describe('a folder', () => {
  let folder: string;
  let store: FolderBlobStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-blobs-'));
    store = await FolderBlobStore.open(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  blobStoreContract(() => store);

  it('leaves no half-written file behind', async () => {
    expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  });

  it('removes what a killed process left, and not what another one is writing', async () => {
    const [old, fresh] = [join(folder, '.incoming', 'old'), join(folder, '.incoming', 'fresh')];
    for (const file of [old, fresh]) await writeFile(file, 'half');
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    await utimes(old, yesterday, yesterday);
    await FolderBlobStore.open(folder);
    expect(await readdir(join(folder, '.incoming'))).toEqual(['fresh']);
    await rm(fresh);
  });
});

describe('an S3-compatible store', () => {
  let double: S3Double;
  let store: S3BlobStore;
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  beforeAll(async () => {
    double = await S3Double.start();
    store = new S3BlobStore({
      bucket: 'bucket',
      prefix: 'assay/',
      endpoint: double.endpoint,
      region: 'here',
      credentials,
    });
  });
  afterAll(async () => {
    store.close();
    await double.stop();
  });

  blobStoreContract(() => store);

  it('leaves no unfinished upload behind', () => {
    expect(double.uploads.size).toBe(0);
  });

  it('keeps everything under its prefix', () => {
    expect([...double.objects.keys()].filter((key) => !key.startsWith('assay/'))).toEqual([]);
  });
});

describe('the place of the blobs', () => {
  it('is an S3 bucket with all that its address says', () => {
    expect(s3Place('s3://pictures/assay/prod/?endpoint=http://localhost:9000&region=eu', {})).toEqual({
      bucket: 'pictures',
      prefix: 'assay/prod/',
      endpoint: 'http://localhost:9000',
      region: 'eu',
      credentials: undefined,
    });
    expect(s3Place('s3://pictures', { accessKeyId: 'id', secretAccessKey: 'secret' })).toMatchObject({
      prefix: '',
      region: 'us-east-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  it('is a folder in the data folder when nothing is said', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'assay-data-'));
    await openBlobStore({ dataFolder });
    expect(await readdir(dataFolder)).toEqual(['blobs']);
    await rm(dataFolder, { recursive: true });
  });
});
