import { inflateRawSync } from 'node:zlib';

const CENTRAL_ENTRY = 0x02014b50;
const CENTRAL_END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;

/** One file out of a zip archive, found through the directory at its end. */
export function fileInZip(archive: Buffer, path: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== CENTRAL_END) throw new Error('not a zip archive');
  let at = archive.readUInt32LE(end + 16);
  for (let entries = archive.readUInt16LE(end + 10); entries > 0; entries--) {
    if (archive.readUInt32LE(at) !== CENTRAL_ENTRY) throw new Error('the zip directory is damaged');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (name === path) return content(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`${path} is not in the zip archive`);
}

function content(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const local = archive.readUInt32LE(entry + 42);
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(from, from + archive.readUInt32LE(entry + 20));
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: archive.readUInt32LE(entry + 24) });
  throw new Error(`zip method ${method} is not read`);
}
