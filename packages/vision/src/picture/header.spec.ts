import fc from 'fast-check';
import sharp from 'sharp';
import { jpegClaiming, movingPng, png, webpClaiming } from '../testing/hostile.ts';
import { readHeader } from './header.ts';
import { PICTURE_LIMITS } from './limits.ts';
import { PictureUnreadable } from './picture-error.ts';

const still = () => sharp({ create: { width: 37, height: 21, channels: 3, background: '#246' } });

const reasonOf = (bytes: Buffer): string => {
  try {
    readHeader(bytes);
    return 'read';
  } catch (error) {
    if (error instanceof PictureUnreadable) return error.reason;
    throw error;
  }
};

test.each([
  ['jpeg', () => still().jpeg().toBuffer()],
  ['jpeg', () => still().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer()],
  ['png', () => still().png().toBuffer()],
  ['png', () => still().toColourspace('rgb16').png().toBuffer()],
  ['webp', () => still().webp().toBuffer()],
  ['webp', () => still().webp({ lossless: true }).toBuffer()],
  ['webp', () => still().ensureAlpha(0.5).webp().toBuffer()],
] as const)('reads what a real encoder writes: %s', async (format, make) => {
  expect(readHeader(await make())).toMatchObject({ format, mediaType: `image/${format}`, width: 37, height: 21 });
});

test.each([
  ['a 50,000 x 50,000 PNG', png({ width: 50_000, height: 50_000 }), 'too_many_pixels'],
  ['a PNG of 2^32 - 1 a side', png({ width: 0xffffffff, height: 0xffffffff }), 'too_many_pixels'],
  ['one pixel over the limit', png({ width: PICTURE_LIMITS.pixels / 2_000, height: 2_001 }), 'too_many_pixels'],
  ['a thread of a PNG', png({ width: PICTURE_LIMITS.side + 1, height: 1 }), 'too_many_pixels'],
  ['a 65,535 x 65,535 JPEG', jpegClaiming(65_535, 65_535), 'too_many_pixels'],
  ['a WebP canvas of 16,777,216 a side', webpClaiming(1 << 24, 1 << 24), 'too_many_pixels'],
  ['a progressive JPEG of 20.1 megapixels', jpegClaiming(5_025, 4_000, 0xc2), 'too_many_pixels'],
  ['an animated PNG', movingPng(2), 'too_many_frames'],
  ['an animated PNG of 2^32 - 1 frames', movingPng(0xffffffff), 'too_many_frames'],
  ['an animated WebP', webpClaiming(4, 4, 2), 'too_many_frames'],
  ['a PNG without area', png({ width: 0, height: 9 }), 'damaged'],
  ['a JPEG of height 0', jpegClaiming(9, 0), 'damaged'],
  ['a lossless JPEG', jpegClaiming(9, 9, 0xc3), 'unsupported'],
  ['an arithmetic JPEG', jpegClaiming(9, 9, 0xc9), 'unsupported'],
  ['a 12-bit JPEG', jpegClaiming(9, 9, 0xc1, 12), 'unsupported'],
  ['a JPEG of nothing but restarts', Buffer.from(`ffd8${'ffd0'.repeat(9_000)}`, 'hex'), 'damaged'],
  ['a renamed text file', Buffer.from('id,name\n1,Ada\n'), 'not_a_picture'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'not_a_picture'],
  ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64'), 'not_a_picture'],
  ['nothing', Buffer.alloc(0), 'not_a_picture'],
  ['too many bytes', Buffer.alloc(PICTURE_LIMITS.bytes + 1, 0xff), 'too_many_bytes'],
])('refuses %s by its header', (_what, bytes, reason) => {
  expect(reasonOf(bytes)).toBe(reason);
});

test('reads exactly the most pixels', () => {
  expect(reasonOf(png({ width: PICTURE_LIMITS.pixels / 2_000, height: 2_000 }))).toBe('read');
});

test('a picture cut anywhere is refused or read, never a fault', async () => {
  const whole = [await still().jpeg().toBuffer(), await still().png().toBuffer(), await still().webp().toBuffer()];
  for (const bytes of whole)
    for (let length = 0; length < Math.min(bytes.length, 700); length++) reasonOf(bytes.subarray(0, length));
});

test('any bytes behind a known beginning are refused or read, never a fault', () => {
  const beginnings = ['ffd8ff', '89504e470d0a1a0a', `${Buffer.from('RIFF\0\0\0\0WEBP').toString('hex')}`];
  fc.assert(
    fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), (beginning, rest) => {
      reasonOf(Buffer.concat([Buffer.from(beginning, 'hex'), rest]));
    }),
    { numRuns: 2_000 },
  );
});
