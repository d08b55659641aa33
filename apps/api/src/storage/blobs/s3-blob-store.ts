import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type BlobInfo, type BlobStore, type ByteRange, checkBlobName, checkBlobPrefix } from './blob-store.js';

export type S3Place = {
  readonly bucket: string;
  /** Empty, or ending with a slash. */
  readonly prefix: string;
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Without it the SDK looks in its usual places. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const NOT_FOUND = 404;
const RANGE_NOT_SATISFIABLE = 416;

/** Blobs as objects of an S3-compatible store, where an object appears when its last part is acknowledged. */
export class S3BlobStore implements BlobStore {
  private readonly client: S3Client;

  constructor(private readonly place: S3Place) {
    this.client = new S3Client({
      region: place.region,
      ...(place.endpoint && { endpoint: place.endpoint, forcePathStyle: true }),
      ...(place.credentials && { credentials: place.credentials }),
      // Compatible stores often do not know the checksum trailers that the SDK sends by default, and then store them as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        bytes += chunk.byteLength;
        yield chunk;
      }
    };
    const upload = new Upload({
      client: this.client,
      params: { ...this.objectOf(name), Body: Readable.from(counted(), { objectMode: false }) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    await upload.done();
    return (await this.stat(name)) ?? { name, bytes, modifiedAt: new Date() };
  }

  async get(name: string, range?: ByteRange): Promise<Readable | undefined> {
    const wanted = range && { Range: `bytes=${range.start}-${range.end ?? ''}` };
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.objectOf(name), ...wanted }));
      return Body instanceof Readable ? Body : Readable.from([]);
    } catch (error) {
      if (statusOf(error) === RANGE_NOT_SATISFIABLE) return Readable.from([]);
      return absent(error);
    }
  }

  async stat(name: string): Promise<BlobInfo | undefined> {
    try {
      const head = await this.client.send(new HeadObjectCommand(this.objectOf(name)));
      return { name, bytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    } catch (error) {
      return absent(error);
    }
  }

  async delete(name: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.objectOf(name)));
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    const wanted = { Bucket: this.place.bucket, Prefix: this.place.prefix + checkBlobPrefix(prefix) };
    for await (const page of paginateListObjectsV2({ client: this.client }, wanted)) {
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        yield { name: Key.slice(this.place.prefix.length), bytes: Size, modifiedAt: LastModified };
      }
    }
  }

  close(): void {
    this.client.destroy();
  }

  private objectOf(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.place.prefix + checkBlobName(name) };
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function absent(error: unknown): undefined {
  if (statusOf(error) !== NOT_FOUND) throw error;
  return undefined;
}
