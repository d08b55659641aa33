import { join } from 'node:path';
import type { BlobStore } from './blob-store.js';
import { FolderBlobStore } from './folder-blob-store.js';
import { S3BlobStore, type S3Place } from './s3-blob-store.js';

export type BlobSettings = {
  /** A folder, or `s3://bucket/prefix?endpoint=https://host&region=name`; `blobs` in the data folder when absent. */
  readonly place?: string | undefined;
  readonly dataFolder: string;
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
};

const DEFAULT_REGION = 'us-east-1';

export async function openBlobStore(settings: BlobSettings): Promise<BlobStore> {
  const { place, dataFolder } = settings;
  if (place?.startsWith('s3://')) return new S3BlobStore(s3Place(place, settings));
  return FolderBlobStore.open(place ?? join(dataFolder, 'blobs'));
}

export function s3Place(address: string, { accessKeyId, secretAccessKey }: Partial<BlobSettings>): S3Place {
  const url = new URL(address);
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    endpoint: url.searchParams.get('endpoint') ?? undefined,
    region: url.searchParams.get('region') ?? DEFAULT_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}
