import type { PictureHeader } from './header.ts';
import { PICTURE_LIMITS } from './limits.ts';
import { PictureUnreadable } from './picture-error.ts';

const FIRST_CHUNK = 12;
const ANIMATION_FLAG = 0x02;
const LOSSLESS_SIGNATURE = 0x2f;
const LOSSY_START_CODE = 0x9d012a;

export const isWebp = (bytes: Buffer): boolean =>
  bytes.length >= 16 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

const damaged = (): PictureUnreadable => new PictureUnreadable('damaged', 'the WebP header is not readable');

function countFrames(bytes: Buffer): number {
  let frames = 0;
  let at = FIRST_CHUNK;
  for (let part = 0; part < PICTURE_LIMITS.headerParts && at + 8 <= bytes.length; part++) {
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') frames++;
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return frames;
}

function measure(bytes: Buffer, kind: string, at: number): { width: number; height: number; frames: number } {
  if (at + 10 > bytes.length) throw damaged();
  if (kind === 'VP8X') {
    const frames = bytes[at]! & ANIMATION_FLAG ? countFrames(bytes) : 1;
    return { width: bytes.readUIntLE(at + 4, 3) + 1, height: bytes.readUIntLE(at + 7, 3) + 1, frames };
  }
  if (kind === 'VP8L' && bytes[at] === LOSSLESS_SIGNATURE) {
    const bits = bytes.readUInt32LE(at + 1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, frames: 1 };
  }
  if (kind === 'VP8 ' && bytes.readUIntBE(at + 3, 3) === LOSSY_START_CODE)
    return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff, frames: 1 };
  throw damaged();
}

export function readWebp(bytes: Buffer): PictureHeader {
  const kind = bytes.toString('latin1', FIRST_CHUNK, FIRST_CHUNK + 4);
  return {
    format: 'webp',
    mediaType: 'image/webp',
    bitDepth: 8,
    progressive: false,
    ...measure(bytes, kind, FIRST_CHUNK + 8),
  };
}
