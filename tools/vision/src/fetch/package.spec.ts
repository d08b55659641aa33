import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { create } from 'tar';
import { filesOfPackage, type Progress } from './package.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-package-'));
const tarball = join(folder, 'some.tgz');
let integrity: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'package/model'), { recursive: true });
  writeFileSync(join(folder, 'package/model/wanted.bin'), Buffer.alloc(100_000, 7));
  writeFileSync(join(folder, 'package/model/other.bin'), Buffer.alloc(100_000, 8));
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name: 'some', version: '1.0.0' }));
  await create({ file: tarball, cwd: folder, gzip: true, portable: true }, ['package']);
  integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
});

const pinned = (hash: string) => ({ spec: `file:${tarball}`, integrity: hash, bytes: readFileSync(tarball).length });

test('takes the files asked for and tells how far it is', async () => {
  const seen: Progress[] = [];
  const files = await filesOfPackage(pinned(integrity), ['model/wanted.bin'], (progress) => seen.push(progress));
  expect([...files.keys()]).toEqual(['model/wanted.bin']);
  expect(files.get('model/wanted.bin')).toEqual(Buffer.alloc(100_000, 7));
  expect(seen.at(-1)).toMatchObject({ received: readFileSync(tarball).length, total: readFileSync(tarball).length });
});

test('a tarball other than the pinned one is refused', async () => {
  const other = `sha512-${createHash('sha512').update('another').digest('base64')}`;
  await expect(filesOfPackage(pinned(other), ['model/wanted.bin'], () => undefined)).rejects.toThrow(/integrity/i);
});
