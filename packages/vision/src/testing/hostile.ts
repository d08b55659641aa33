import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}

export interface PngShape {
  width: number;
  height: number;
  bitDepth?: number;
  /** 0 grey, 2 colour, 6 colour with alpha. */
  colour?: number;
  before?: Array<[type: string, data: Buffer]>;
  data?: Buffer;
}

/** A PNG with any claim in its header and any image data. */
export function png({ width, height, bitDepth = 8, colour = 0, before = [], data }: PngShape): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitDepth;
  header[9] = colour;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...before.map(([type, content]) => chunk(type, content)),
    chunk('IDAT', data ?? deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Grey rows that compress to almost nothing. */
export const flatPng = (width: number, height: number): Buffer =>
  png({ width, height, data: deflateSync(Buffer.alloc((width + 1) * height), { level: 9 }) });

/** An animated PNG: one still frame's data behind an announcement of many. */
export function movingPng(frames: number): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  return png({ width: 2, height: 2, before: [['acTL', control]], data: deflateSync(Buffer.alloc(6)) });
}

/** A PNG whose compressed text expands to the given size. */
export const pngWithTextOf = (bytes: number): Buffer =>
  png({
    width: 2,
    height: 2,
    before: [['zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))])]],
    data: deflateSync(Buffer.alloc(6)),
  });

/** A JPEG that claims a size and ends after the claim. */
export function jpegClaiming(width: number, height: number, marker = 0xc0, bitDepth = 8): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 11, bitDepth, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame]);
}

function riff(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** A WebP container that claims a canvas and a number of frames. */
export function webpClaiming(width: number, height: number, frames = 0): Buffer {
  const canvas = Buffer.alloc(10);
  canvas[0] = frames > 0 ? 0x02 : 0;
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const parts = Array.from({ length: frames }, () => riff('ANMF', Buffer.alloc(16)));
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), riff('VP8X', canvas), ...parts]));
}
