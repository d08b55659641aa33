import type { PictureHeader } from './header.ts';
import { PICTURE_LIMITS } from './limits.ts';
import { PictureUnreadable } from './picture-error.ts';

const BASELINE = 0xc0;
const EXTENDED = 0xc1;
const PROGRESSIVE = 0xc2;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

export const isJpeg = (bytes: Buffer): boolean => bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff;

/** Frame headers lie at C0 to CF, but for the tables DHT (C4) and DAC (CC) and the reserved JPG (C8). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Walks the segments up to the frame header; entropy-coded data is never touched. */
export function readJpeg(bytes: Buffer): PictureHeader {
  let at = 2;
  for (let part = 0; part < PICTURE_LIMITS.headerParts; part++) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
    if (at + 4 > bytes.length || bytes[at] !== 0xff) break;
    const marker = bytes[at + 1]!;
    at += 2;
    if (standsAlone(marker)) continue;
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    const length = bytes.readUInt16BE(at);
    if (isFrameHeader(marker)) return frameHeader(bytes, marker, at, length);
    if (length < 2) break;
    at += length;
  }
  throw new PictureUnreadable('damaged', 'the JPEG has no readable frame header');
}

function frameHeader(bytes: Buffer, marker: number, at: number, length: number): PictureHeader {
  if (length < 8 || at + 8 > bytes.length)
    throw new PictureUnreadable('damaged', 'the JPEG ends inside its frame header');
  const bitDepth = bytes[at + 2]!;
  if (![BASELINE, EXTENDED, PROGRESSIVE].includes(marker) || bitDepth !== 8)
    throw new PictureUnreadable('unsupported', 'the JPEG is lossless, arithmetic-coded or not 8 bits deep');
  return {
    format: 'jpeg',
    mediaType: 'image/jpeg',
    width: bytes.readUInt16BE(at + 5),
    height: bytes.readUInt16BE(at + 3),
    frames: 1,
    bitDepth,
    progressive: marker === PROGRESSIVE,
  };
}
