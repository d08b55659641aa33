import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LARGEST_IMAGE_BYTES, toImage } from './to-image.js';

const bytes = Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2, 250]);
const expected = { data: bytes.toString('base64') };

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-image-'));
  path = join(folder, 'photo.jpg');
  writeFileSync(path, bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a path, a file address, bytes, a part of a buffer, a stream and a blob are the same image', async () => {
  expect(await toImage(path)).toEqual(expected);
  expect(await toImage(pathToFileURL(path))).toEqual(expected);
  expect(await toImage(bytes)).toEqual(expected);
  expect(await toImage(Buffer.concat([Buffer.from('xx'), bytes]).subarray(2))).toEqual(expected);
  expect(await toImage(createReadStream(path))).toEqual(expected);
  expect(await toImage(new Blob([bytes]))).toEqual(expected);
});

test('an id is passed on', async () => {
  expect(await toImage(bytes, { id: 'door' })).toEqual({ id: 'door', ...expected });
});

test('a stream that never ends is given up at the limit, and so are bytes over it', async () => {
  async function* endless() {
    for (;;) yield new Uint8Array(1_000_000);
  }
  await expect(toImage(endless())).rejects.toThrow(RangeError);
  await expect(toImage(Buffer.alloc(LARGEST_IMAGE_BYTES + 1))).rejects.toThrow(RangeError);
});

test('a file that is not there is an error', async () => {
  await expect(toImage(join(folder, 'nothing.jpg'))).rejects.toThrow('ENOENT');
});
