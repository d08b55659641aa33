import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BlobInfo, BlobStore, ByteRange } from './blob-store.js';

async function* chunks(...parts: (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    await turn();
    yield typeof part === 'string' ? Buffer.from(part) : part;
  }
}

/** Bytes that look random and are the same every time. */
async function* manyBytes(megabytes: number): AsyncIterable<Uint8Array> {
  for (let block = 0; block < megabytes * 16; block += 1) {
    const seed = createHash('sha256').update(String(block)).digest();
    yield Buffer.alloc(65_536, seed);
  }
}

async function digest(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** What every blob store does, the fake included. */
export function blobStoreContract(open: () => BlobStore): void {
  let store: BlobStore;
  let folder: string;
  beforeEach(() => {
    store = open();
    folder = `test-${randomUUID()}`;
  });

  const read = async (name: string, range?: ByteRange) => {
    const content = await store.get(name, range);
    if (!content) return undefined;
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString();
  };

  const namesUnder = async (prefix: string) => {
    const found: BlobInfo[] = [];
    for await (const info of store.list(prefix)) found.push(info);
    return found.map(({ name }) => name).sort();
  };

  describe('a blob store', () => {
    it('gives back what was put', async () => {
      const name = `${folder}/lines.ndjson`;
      const put = await store.put(name, chunks('one ', 'two ', 'three'));
      expect(put).toMatchObject({ name, bytes: 13 });
      expect(put.modifiedAt.getUTCFullYear()).toBe(new Date().getUTCFullYear());
      expect(await read(name)).toBe('one two three');
      expect(await store.stat(name)).toMatchObject({ name, bytes: 13 });
    });

    it('keeps 20 MB as they are', async () => {
      const name = `${folder}/large`;
      expect(await store.put(name, manyBytes(20))).toMatchObject({ bytes: 20 * 1024 * 1024 });
      const content = await store.get(name);
      expect(await digest(content ?? chunks())).toBe(await digest(manyBytes(20)));
    });

    it('keeps nothing at all', async () => {
      const name = `${folder}/empty`;
      expect(await store.put(name, chunks())).toMatchObject({ bytes: 0 });
      expect(await read(name)).toBe('');
      expect(await read(name, { start: 0, end: 3 })).toBe('');
    });

    it('gives a range', async () => {
      const name = `${folder}/range`;
      await store.put(name, chunks('0123456789'));
      expect(await read(name, { start: 2, end: 4 })).toBe('234');
      expect(await read(name, { start: 7 })).toBe('789');
      expect(await read(name, { start: 8, end: 100 })).toBe('89');
      expect(await read(name, { start: 10 })).toBe('');
    });

    it('knows nothing under a name that was never put', async () => {
      expect(await store.get(`${folder}/nothing`)).toBeUndefined();
      expect(await store.stat(`${folder}/nothing`)).toBeUndefined();
      await store.delete(`${folder}/nothing`);
    });

    it('replaces and deletes', async () => {
      const name = `${folder}/changing`;
      await store.put(name, chunks('before'));
      await store.put(name, chunks('after'));
      expect(await read(name)).toBe('after');
      await store.delete(name);
      expect(await store.stat(name)).toBeUndefined();
    });

    it('lists by prefix', async () => {
      const names = ['a/1', 'a/2', 'a/deep/3', 'ab/4', 'b/5'].map((name) => `${folder}/${name}`);
      for (const name of names) await store.put(name, chunks('x'));
      expect(await namesUnder(`${folder}/`)).toEqual([...names].sort());
      expect(await namesUnder(`${folder}/a/`)).toEqual([`${folder}/a/1`, `${folder}/a/2`, `${folder}/a/deep/3`]);
      expect(await namesUnder(`${folder}/a`)).toHaveLength(4);
      expect(await namesUnder(`${folder}/none`)).toEqual([]);
    });

    it('shows nothing of content that failed half-way', async () => {
      const name = `${folder}/broken`;
      const failing = async function* () {
        yield* manyBytes(9);
        throw new Error('the caller went away');
      };
      await expect(store.put(name, failing())).rejects.toThrow('the caller went away');
      expect(await store.stat(name)).toBeUndefined();
      expect(await namesUnder(`${folder}/`)).toEqual([]);
    });

    it('keeps the old content when its replacement failed half-way', async () => {
      const name = `${folder}/kept`;
      await store.put(name, chunks('old'));
      const failing = async function* () {
        yield Buffer.from('new');
        throw new Error('the caller went away');
      };
      await expect(store.put(name, failing())).rejects.toThrow('the caller went away');
      expect(await read(name)).toBe('old');
    });

    it('shows a name with one of two contents, whole, when both are put at once', async () => {
      const name = `${folder}/race`;
      const [one, other] = ['1'.repeat(100_000), '2'.repeat(50_000)];
      await Promise.all([store.put(name, chunks(one)), store.put(name, chunks(other))]);
      expect([one, other]).toContain(await read(name));
    });

    it.each([
      '',
      '/etc/passwd',
      '../up',
      'a/../../up',
      'a//b',
      'a/',
      '.hidden',
      'a/.hidden',
      'a\\b',
      'a\0b',
      'ä',
      'x'.repeat(600),
    ])('refuses the name %j', async (name) => {
      await expect(store.put(name, chunks('x'))).rejects.toThrow('not a blob name');
      await expect(store.get(name)).rejects.toThrow('not a blob name');
      await expect(store.stat(name)).rejects.toThrow('not a blob name');
      await expect(store.delete(name)).rejects.toThrow('not a blob name');
    });

    it.each(['../', '/', 'a//', '.incoming/'])('refuses the prefix %j', async (prefix) => {
      await expect(namesUnder(prefix)).rejects.toThrow('not a blob prefix');
    });
  });
}
