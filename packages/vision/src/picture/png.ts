import type { PictureHeader } from './header.ts';
import { PICTURE_LIMITS } from './limits.ts';
import { PictureUnreadable } from './picture-error.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEADER_END = 33;

export const isPng = (bytes: Buffer): boolean => bytes.length >= 8 && bytes.subarray(0, 8).equals(SIGNATURE);

const chunkType = (bytes: Buffer, at: number): string => bytes.toString('latin1', at + 4, at + 8);

/** An animation announces itself (`acTL`) before the first image data; a chunk behind that is none. */
function framesOf(bytes: Buffer): number {
  let at = HEADER_END;
  for (let part = 0; part < PICTURE_LIMITS.headerParts && at + 12 <= bytes.length; part++) {
    const type = chunkType(bytes, at);
    if (type === 'IDAT') return 1;
    if (type === 'acTL') return bytes.readUInt32BE(at + 8);
    at += 12 + bytes.readUInt32BE(at);
  }
  throw new PictureUnreadable('damaged', 'the PNG holds no image data');
}

export function readPng(bytes: Buffer): PictureHeader {
  if (bytes.length < HEADER_END || bytes.readUInt32BE(8) !== 13 || chunkType(bytes, 8) !== 'IHDR')
    throw new PictureUnreadable('damaged', 'the PNG does not begin with its header');
  return {
    format: 'png',
    mediaType: 'image/png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    frames: framesOf(bytes),
    bitDepth: bytes[24]!,
    progressive: bytes[28] === 1,
  };
}
