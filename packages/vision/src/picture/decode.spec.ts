import sharp from 'sharp';
import { flatPng, jpegClaiming, movingPng, png, pngWithTextOf, webpClaiming } from '../testing/hostile.ts';
import { decode } from './decode.ts';
import type { Orientation } from './orientation.ts';
import { boxAsSent } from './orientation.ts';
import { PictureUnreadable } from './picture-error.ts';

const MEGABYTE = 1_000_000;

/** Red everywhere, but for a blue mark at x 30..39, y 10..14 of the stored picture. */
const marked = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#f00' } })
    .composite([
      {
        input: { create: { width: 10, height: 5, channels: 3, background: '#00f' } },
        left: 30,
        top: 10,
      },
    ])
    .png()
    .toBuffer();

const reasonOf = async (bytes: Buffer): Promise<string> => {
  try {
    await decode(bytes);
    return 'decoded';
  } catch (error) {
    if (error instanceof PictureUnreadable) return error.reason;
    throw error;
  }
};

test.each([1, 2, 3, 4, 5, 6, 7, 8] as const)(
  'stands upright for orientation %i, and boxes find the way back',
  async (orientation: Orientation) => {
    const bytes = await sharp(await marked())
      .withMetadata({ orientation })
      .png()
      .toBuffer();
    const picture = await decode(bytes);
    const { data, width, height } = picture.pixels;
    expect([width, height]).toEqual(orientation < 5 ? [60, 40] : [40, 60]);
    const blue = Array.from({ length: width * height }, (_, at) => at).filter((at) => data[at * 3 + 2]! > 128);
    expect(blue).toHaveLength(50);
    const columns = blue.map((at) => at % width);
    const rows = blue.map((at) => Math.floor(at / width));
    const box = {
      x1: Math.min(...columns),
      y1: Math.min(...rows),
      x2: Math.max(...columns) + 1,
      y2: Math.max(...rows) + 1,
    };
    const sent = boxAsSent(box, picture.pixels, picture.header, picture.orientation);
    for (const [side, value] of Object.entries({ x1: 30, y1: 10, x2: 40, y2: 15 }))
      expect(sent[side as keyof typeof sent]).toBeCloseTo(value, 6);
  },
);

test('takes 16-bit, grey, CMYK and transparent pictures as 8-bit colour', async () => {
  const base = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } });
  const pictures = [
    await base().toColourspace('rgb16').png().toBuffer(),
    await base().toColourspace('b-w').png().toBuffer(),
    await base().toColourspace('cmyk').jpeg().toBuffer(),
    await sharp({ create: { width: 8, height: 8, channels: 4, background: '#0000' } })
      .webp()
      .toBuffer(),
  ];
  expect((await sharp(pictures[2]).metadata()).space).toBe('cmyk');
  expect((await sharp(pictures[0]).metadata()).depth).toBe('ushort');
  for (const bytes of pictures) {
    const { pixels } = await decode(bytes);
    expect(pixels.data).toHaveLength(8 * 8 * 3);
    expect(Math.min(...pixels.data)).toBeGreaterThan(250);
  }
});

test('the same bytes decode to the same pixels', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const bytes = await sharp({ create: { width: 500, height: 300, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
  const [first, second] = await Promise.all([decode(bytes), decode(bytes)]);
  expect(Buffer.compare(first.pixels.data, second.pixels.data)).toBe(0);
});

test('a large picture is brought down to what is looked at', async () => {
  const { pixels, header } = await decode(await sharp(flatPng(6_000, 3_000)).jpeg().toBuffer());
  expect([header.width, header.height]).toEqual([6_000, 3_000]);
  expect([pixels.width, pixels.height]).toEqual([4_096, 2_048]);
});

test('half a picture is damaged', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const picture = () => sharp({ create: { width: 400, height: 300, channels: 3, background: '#888', noise } });
  for (const whole of [
    await picture().jpeg().toBuffer(),
    await picture().png().toBuffer(),
    await picture().webp().toBuffer(),
  ])
    expect(await reasonOf(whole.subarray(0, whole.length >> 1))).toBe('damaged');
});

test('bombs end in a refusal and cost less than 200 MB', async () => {
  const bombs: Array<[Buffer, string]> = [
    [png({ width: 50_000, height: 50_000 }), 'too_many_pixels'],
    [flatPng(12_000, 12_000), 'too_many_pixels'],
    [png({ width: 7_000, height: 7_000 }), 'damaged'],
    [jpegClaiming(65_500, 65_500), 'too_many_pixels'],
    [jpegClaiming(7_000, 7_000), 'damaged'],
    [jpegClaiming(4_000, 5_000, 0xc2), 'damaged'],
    [webpClaiming(16_000, 16_000), 'too_many_pixels'],
    [webpClaiming(7_000, 7_000), 'damaged'],
    [movingPng(100_000), 'too_many_frames'],
  ];
  const before = process.memoryUsage.rss();
  for (const [bytes, reason] of bombs) expect(await reasonOf(bytes)).toBe(reason);
  await reasonOf(pngWithTextOf(500 * MEGABYTE));
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEGABYTE);
});
