import type { Readable } from 'node:stream';

/** Nest's token for the store. */
export const BLOBS = Symbol('blobs');

export type BlobInfo = { readonly name: string; readonly bytes: number; readonly modifiedAt: Date };

/** Both bounds count from zero; `end` is the last byte, as in HTTP. What lies beyond the blob is left out. */
export type ByteRange = { readonly start: number; readonly end?: number };

/** Large payloads by name. A name appears only when all of its bytes are stored, and a name that is there stays whole. */
export interface BlobStore {
  /** Replaces what the name held. When the content fails half-way, nothing of it is seen. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<BlobInfo>;
  get(name: string, range?: ByteRange): Promise<Readable | undefined>;
  stat(name: string): Promise<BlobInfo | undefined>;
  /** Deleting what is not there is no error. */
  delete(name: string): Promise<void>;
  /** Every blob whose name begins with the prefix, in no particular order. */
  list(prefix: string): AsyncIterable<BlobInfo>;
}

const NAME_MAX = 512;
const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}';
const NAME = new RegExp(`^${SEGMENT}(/${SEGMENT})*$`);
const PREFIX = new RegExp(`^(${SEGMENT}/)*(${SEGMENT})?$`);

/** Names are made by the service, never by a caller; this holds even if that is forgotten somewhere. */
export function checkBlobName(name: string): string {
  if (name.length > NAME_MAX || !NAME.test(name)) throw new RangeError('not a blob name');
  return name;
}

export function checkBlobPrefix(prefix: string): string {
  if (prefix.length > NAME_MAX || !PREFIX.test(prefix)) throw new RangeError('not a blob prefix');
  return prefix;
}
