import { isJpeg, readJpeg } from './jpeg.ts';
import { PICTURE_LIMITS } from './limits.ts';
import { PictureUnreadable } from './picture-error.ts';
import { isPng, readPng } from './png.ts';
import { isWebp, readWebp } from './webp.ts';

export interface PictureHeader {
  readonly format: 'jpeg' | 'png' | 'webp';
  readonly mediaType: 'image/jpeg' | 'image/png' | 'image/webp';
  /** As stored: before the orientation that its metadata may ask for. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly bitDepth: number;
  /** Stored in passes over the whole picture. */
  readonly progressive: boolean;
}

function parse(bytes: Buffer): PictureHeader {
  if (isJpeg(bytes)) return readJpeg(bytes);
  if (isPng(bytes)) return readPng(bytes);
  if (isWebp(bytes)) return readWebp(bytes);
  throw new PictureUnreadable('not_a_picture', 'the bytes are not a JPEG, PNG or WebP picture');
}

export function refuseTooManyBytes(count: number): void {
  if (count > PICTURE_LIMITS.bytes)
    throw new PictureUnreadable('too_many_bytes', `the picture is over ${PICTURE_LIMITS.bytes} bytes`);
}

function pixelLimit({ progressive, bitDepth }: PictureHeader): number {
  if (!progressive) return PICTURE_LIMITS.pixels;
  return bitDepth > 8 ? PICTURE_LIMITS.progressivePixels / 2 : PICTURE_LIMITS.progressivePixels;
}

/** Kind and size of a picture by its content, within every limit. Decodes nothing and allocates nothing of the size claimed. */
export function readHeader(bytes: Buffer): PictureHeader {
  refuseTooManyBytes(bytes.length);
  const header = parse(bytes);
  const { width, height, frames } = header;
  const pixels = pixelLimit(header);
  const size = `${width} x ${height}`;
  if (width < 1 || height < 1) throw new PictureUnreadable('damaged', `the picture says it measures ${size}`);
  if (Math.max(width, height) > PICTURE_LIMITS.side || width * height > pixels)
    throw new PictureUnreadable(
      'too_many_pixels',
      `the picture measures ${size}; at most ${pixels} pixels${header.progressive ? ' stored in passes' : ''} and ${PICTURE_LIMITS.side} a side are read`,
    );
  if (frames !== PICTURE_LIMITS.frames)
    throw new PictureUnreadable('too_many_frames', `the picture has ${frames} frames; one still frame is read`);
  return header;
}
