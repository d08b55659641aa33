import { buffer } from 'node:stream/consumers';
import type { PictureHeader } from '@assay/vision';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { newIdentifier } from '../../storage/database/identifier.js';
import type { UploadedPictures } from '../intake.js';
import { UPLOAD_LIFETIME_MS, type Upload, type UploadStore } from './upload.js';

const PREFIX = 'uploads/';
/** Expired uploads forgotten in one go. */
const SWEEP = 100;
/** A blob without a row is an upload under way, or one whose process died; after this long it is the latter. */
const ORPHAN_AGE_MS = 2 * UPLOAD_LIFETIME_MS;

const blobOf = (id: string): string => `${PREFIX}${id}`;

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Uploaded pictures, for the time they are kept: bytes in the blob store, everything else in the database. */
export class KeptPictures implements UploadedPictures {
  constructor(
    private readonly uploads: UploadStore,
    private readonly blobs: BlobStore,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** The bytes are stored before the row that makes them usable, so an upload that is known can be read. */
  async keep(workspaceId: string, bytes: Buffer, { mediaType, width, height }: PictureHeader): Promise<Upload> {
    const createdAt = this.now();
    const upload = {
      id: newIdentifier('upl'),
      workspaceId,
      mediaType,
      bytes: bytes.length,
      width,
      height,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + UPLOAD_LIFETIME_MS),
    };
    await this.blobs.put(blobOf(upload.id), once(bytes));
    await this.uploads.add(upload);
    return upload;
  }

  async read(workspaceId: string, id: string): Promise<Buffer | undefined> {
    if (!(await this.uploads.find(workspaceId, id, this.now()))) return undefined;
    const content = await this.blobs.get(blobOf(id));
    return content && buffer(content);
  }

  /** Makes an upload unusable and deletes its bytes; what is gone already is no error. */
  async forget(workspaceId: string, id: string): Promise<void> {
    if (await this.uploads.remove(workspaceId, id)) await this.blobs.delete(blobOf(id));
  }

  /** Deletes what has expired, and blobs that a process left behind when it died. Several processes may do so at once. */
  async forgetExpired(): Promise<void> {
    const now = this.now();
    for (;;) {
      const over = await this.uploads.expired(now, SWEEP);
      for (const { workspaceId, id } of over) await this.forget(workspaceId, id);
      if (over.length < SWEEP) break;
    }
    for await (const { name, modifiedAt } of this.blobs.list(PREFIX))
      if (modifiedAt.getTime() < now.getTime() - ORPHAN_AGE_MS) await this.blobs.delete(name);
  }
}
