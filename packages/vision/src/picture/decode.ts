import sharp from 'sharp';
import { type PictureHeader, readHeader } from './header.ts';
import { PICTURE_LIMITS } from './limits.ts';
import type { Orientation } from './orientation.ts';
import { PictureUnreadable } from './picture-error.ts';
import { PixelBudget } from './pixel-budget.ts';

// No decoder but these three is ever reached, whatever the bytes pretend to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/** Longest side kept: a face that matters is well visible in it, and 16.8 megapixels bound the memory. */
const LONGEST_SIDE = 4_096;

/** An upright picture as red, green, blue bytes, row after row. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface DecodedPicture {
  readonly header: PictureHeader;
  readonly orientation: Orientation;
  readonly pixels: Pixels;
}

/** What a pixel decoded in passes costs in memory beside one decoded row by row. */
const PROGRESSIVE_WEIGHT = 2.5;

const budget = new PixelBudget(PICTURE_LIMITS.pixels);

function asOrientation(tag: number | undefined): Orientation {
  return tag !== undefined && tag >= 1 && tag <= 8 ? (tag as Orientation) : 1;
}

function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array((data.length / channels) * 3);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) rgb.fill(data[from]!, to, to + 3);
  return rgb;
}

async function render(bytes: Buffer, header: PictureHeader): Promise<DecodedPicture> {
  const open = () => sharp(bytes, { limitInputPixels: PICTURE_LIMITS.pixels, failOn: 'truncated', pages: 1 });
  const { orientation } = await open().metadata();
  const { data, info } = await open()
    .timeout({ seconds: PICTURE_LIMITS.decodeSeconds })
    .autoOrient()
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const pixels = { data: threeChannels(data, info.channels), width: info.width, height: info.height };
  return { header, orientation: asOrientation(orientation), pixels };
}

/** Decodes what the header allows, upright, in sRGB, on white where it is transparent. */
export async function decode(bytes: Buffer): Promise<DecodedPicture> {
  const header = readHeader(bytes);
  const weight = header.progressive ? PROGRESSIVE_WEIGHT : 1;
  using _held = await budget.hold(weight * header.width * header.height);
  try {
    return await render(bytes, header);
  } catch (error) {
    const slow = error instanceof Error && error.message.startsWith('timeout');
    throw slow
      ? new PictureUnreadable('too_slow', `the picture took over ${PICTURE_LIMITS.decodeSeconds} seconds to decode`)
      : new PictureUnreadable('damaged', `the ${header.format.toUpperCase()} data is damaged or incomplete`);
  }
}
