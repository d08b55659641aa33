import { Readable } from 'node:stream';
import { type BlobInfo, type BlobStore, type ByteRange, checkBlobName, checkBlobPrefix } from './blob-store.js';

export class FakeBlobStore implements BlobStore {
  private readonly blobs = new Map<string, { content: Buffer; modifiedAt: Date }>();

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    checkBlobName(name);
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(Uint8Array.from(chunk));
    const modifiedAt = new Date();
    this.blobs.set(name, { content: Buffer.concat(chunks), modifiedAt });
    return { name, bytes: Buffer.concat(chunks).byteLength, modifiedAt };
  }

  async get(name: string, range?: ByteRange): Promise<Readable | undefined> {
    const found = this.blobs.get(checkBlobName(name))?.content;
    if (!found) return undefined;
    const part = found.subarray(range?.start ?? 0, range?.end === undefined ? undefined : range.end + 1);
    return Readable.from(part.byteLength > 0 ? [part] : []);
  }

  async stat(name: string): Promise<BlobInfo | undefined> {
    const found = this.blobs.get(checkBlobName(name));
    return found && { name, bytes: found.content.byteLength, modifiedAt: found.modifiedAt };
  }

  async delete(name: string): Promise<void> {
    this.blobs.delete(checkBlobName(name));
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    checkBlobPrefix(prefix);
    for (const [name, { content, modifiedAt }] of this.blobs) {
      if (name.startsWith(prefix)) yield { name, bytes: content.byteLength, modifiedAt };
    }
  }
}
