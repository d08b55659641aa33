import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { errorCode } from '../error-code.js';
import { type BlobInfo, type BlobStore, type ByteRange, checkBlobName, checkBlobPrefix } from './blob-store.js';

/** No blob name begins with a dot, so this folder cannot collide with one. */
const INCOMING = '.incoming';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Blobs as files. Bytes go to a file of their own under `.incoming`, are synced, and then renamed; the folder is synced last, so that after
 * a loss of power a name that was acknowledged is there, whole.
 */
export class FolderBlobStore implements BlobStore {
  private constructor(private readonly root: string) {}

  static async open(folder: string): Promise<FolderBlobStore> {
    const store = new FolderBlobStore(resolve(folder));
    await mkdir(join(store.root, INCOMING), { recursive: true, mode: 0o700 });
    await store.removeAbandoned();
    return store;
  }

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    const target = this.fileOf(name);
    const incoming = join(this.root, INCOMING, randomUUID());
    try {
      const bytes = await writeFileSynced(incoming, content);
      await makeFolder(dirname(target));
      await rename(incoming, target);
      await syncFolder(dirname(target));
      return { name, bytes, modifiedAt: (await stat(target)).mtime };
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  }

  async get(name: string, range: ByteRange = { start: 0 }): Promise<Readable | undefined> {
    const file = await openIfThere(this.fileOf(name));
    if (!file) return undefined;
    const { size } = await file.stat();
    const end = Math.min(range.end ?? size - 1, size - 1);
    if (range.start <= end) return file.createReadStream({ start: range.start, end });
    await file.close();
    return Readable.from([]);
  }

  async stat(name: string): Promise<BlobInfo | undefined> {
    return infoOf(name, this.fileOf(name));
  }

  async delete(name: string): Promise<void> {
    await rm(this.fileOf(name), { force: true });
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    checkBlobPrefix(prefix);
    const start = join(this.root, prefix.slice(0, prefix.lastIndexOf('/') + 1));
    for await (const file of filesBelow(start)) {
      const name = relative(this.root, file);
      const info = name.startsWith(prefix) && !name.startsWith(INCOMING) ? await infoOf(name, file) : undefined;
      if (info) yield info;
    }
  }

  private fileOf(name: string): string {
    return join(this.root, checkBlobName(name));
  }

  private async removeAbandoned(): Promise<void> {
    const oldest = Date.now() - ABANDONED_AFTER_MS;
    for await (const file of filesBelow(join(this.root, INCOMING))) {
      const entry = await stat(file).catch(() => undefined);
      if (entry && entry.mtimeMs < oldest) await rm(file, { force: true });
    }
  }
}

async function writeFileSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      await file.writeFile(chunk);
      bytes += chunk.byteLength;
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

/** A new folder is part of its blobs' names, so it is synced into its own parent. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!first) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error) => absent(error));
}

async function infoOf(name: string, path: string): Promise<BlobInfo | undefined> {
  const entry = await stat(path).catch((error) => absent(error));
  return entry?.isFile() ? { name, bytes: entry.size, modifiedAt: entry.mtime } : undefined;
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => absent(error));
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

function absent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  return undefined;
}
