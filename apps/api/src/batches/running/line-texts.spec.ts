import { FakeBlobStore } from '../../storage/blobs/blob-store.fake.js';
import type { ClaimedLine } from '../store/claims.js';
import { LineTexts } from './line-texts.js';

const BLOB = 'batches/uploads/a';

/** An upload of lines of the given lengths, each of its own letter, and how often the store is asked for it. */
async function upload(...lengths: number[]) {
  const blobs = new FakeBlobStore();
  const texts = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length));
  await blobs.put(
    BLOB,
    (async function* () {
      yield Buffer.from(`${texts.join('\n')}\n`);
    })(),
  );
  let reads = 0;
  const get = blobs.get.bind(blobs);
  blobs.get = (...asked) => {
    reads += 1;
    return get(...asked);
  };
  let start = 0;
  const lines = texts.map((text, position): ClaimedLine => {
    const line = { batchId: 'b', position, attempt: 1, blob: BLOB, start, bytes: text.length };
    start += text.length + 1;
    return line;
  });
  return { blobs, lines, texts, reads: () => reads };
}
const read = async (from: LineTexts, lines: readonly ClaimedLine[]) =>
  Promise.all(lines.map(async (line) => (await from.text(line))?.toString()));

test('lines that lie side by side are read together, with gaps between them', async () => {
  const { blobs, lines, texts, reads } = await upload(10, 20, 30, 40);
  const from = new LineTexts(blobs);
  const claimed = [lines[0]!, lines[1]!, lines[3]!];
  from.plan(claimed);
  expect(await read(from, claimed)).toEqual([texts[0], texts[1], texts[3]]);
  expect(reads()).toBe(1);
});

test('large lines are read by themselves, when they are asked for', async () => {
  const { blobs, lines, texts, reads } = await upload(200_000, 200_000, 10);
  const from = new LineTexts(blobs);
  from.plan(lines);
  expect(reads()).toBe(0);
  expect(await read(from, lines.slice(0, 1))).toEqual([texts[0]]);
  expect(reads()).toBe(1);
  expect(await read(from, lines)).toEqual(texts);
  expect(reads()).toBe(2);
});

test('a line of another upload, or one that was not planned, is found too', async () => {
  const { blobs, lines, texts } = await upload(10, 20);
  const from = new LineTexts(blobs);
  const elsewhere = { ...lines[1]!, blob: 'batches/uploads/b' };
  from.plan([lines[0]!, elsewhere]);
  expect(await read(from, [lines[0]!, elsewhere, lines[1]!])).toEqual([texts[0], undefined, texts[1]]);
});

test('an upload that is shorter than its lines is missing them', async () => {
  const { blobs, lines, texts } = await upload(10, 20);
  const from = new LineTexts(blobs);
  const cut = { ...lines[1]!, bytes: 1_000 };
  from.plan([lines[0]!, cut]);
  expect(await read(from, [lines[0]!, cut])).toEqual([texts[0], undefined]);
});
