import { expect, test } from '@jest/globals';
import { MatchingLost, MatchThread } from './match-thread.ts';
import { lengthOf, PACKED_BYTES, packTemplate } from './packed.ts';
import { type Sought, TemplateSet } from './template-set.ts';

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32 - 0.5;
  }
}

function templates(count: number, seed = 1): Int8Array<ArrayBuffer> {
  const source = numbers(seed);
  return new Int8Array(count * PACKED_BYTES).map(() => Math.round(254 * source.next().value));
}

const rising = (count: number, first = 1) => Float64Array.from({ length: count }, (_, at) => first + at);
const row = (all: Int8Array<ArrayBuffer>, at: number) => all.subarray(at * PACKED_BYTES, (at + 1) * PACKED_BYTES);

/** The definition, slowly. */
function plainSearch(all: Int8Array<ArrayBuffer>, { template, least, limit }: Sought) {
  const found = Array.from({ length: all.length / PACKED_BYTES }, (_, at) => {
    const one = row(all, at);
    let dot = 0;
    for (let index = 0; index < PACKED_BYTES; index++) dot += one[index]! * template[index]!;
    return { key: at + 1, cosine: dot / (lengthOf(template) * Math.fround(lengthOf(one))) };
  });
  return found
    .filter(({ cosine }) => cosine >= least)
    .sort((a, b) => b.cosine - a.cosine || a.key - b.key)
    .slice(0, limit);
}

test('finds what comparing with each one finds, over many rounds of memory', () => {
  const all = templates(70_000);
  const set = new TemplateSet();
  for (let start = 0; start < 70_000; start += 7_000)
    set.append(rising(7_000, start + 1), all.slice(start * PACKED_BYTES, (start + 7_000) * PACKED_BYTES));
  expect(set.size).toBe(70_000);
  for (const sought of [
    { template: row(all, 69_999), least: -1, limit: 10 },
    { template: row(templates(1, 7), 0), least: 0.2, limit: 100 },
    { template: row(all, 3), least: 0.99, limit: 5 },
  ])
    expect(set.search(sought)).toEqual(plainSearch(all, sought));
});

test('equals come in the order they were added', () => {
  const one = templates(1);
  const set = new TemplateSet();
  set.append(rising(3), Int8Array.from([...one, ...one, ...one]));
  const found = set.search({ template: one, least: 0.5, limit: 2 });
  expect(found.map(({ key }) => key)).toEqual([1, 2]);
});

test('what is removed is found no more, and the others are', () => {
  const all = templates(1_000);
  const set = new TemplateSet();
  set.append(rising(1_000), all.slice());
  set.remove(Float64Array.from([1, 500, 1_000, 7_777]));
  expect(set.size).toBe(997);
  for (const [at, found] of [
    [0, []],
    [499, []],
    [999, []],
    [1, [2]],
    [998, [999]],
  ] as const)
    expect(set.search({ template: row(all, at), least: 0.99, limit: 1 }).map(({ key }) => key)).toEqual(found);
  set.append(rising(1, 2_000), row(all, 499));
  expect(set.search({ template: row(all, 499), least: 0.99, limit: 1 })).toMatchObject([{ key: 2_000 }]);
});

test('keys that do not rise are refused', () => {
  const set = new TemplateSet();
  set.append(rising(2), templates(2));
  expect(() => set.append(rising(1), templates(1))).toThrow(RangeError);
});

test('a packed template points where the template does', () => {
  const source = numbers(3);
  const template = Float32Array.from({ length: PACKED_BYTES }, () => source.next().value);
  const packed = packTemplate(template);
  const dot = template.reduce((sum, value, at) => sum + value * packed[at]!, 0);
  expect(dot / (Math.hypot(...template) * lengthOf(packed))).toBeGreaterThan(0.9999);
});

test('a thread keeps sets apart, and says when it is gone', async () => {
  const thread = new MatchThread();
  const all = templates(10);
  thread.append('a', rising(10), all.slice());
  thread.append('b', rising(1, 50), row(all, 4).slice());
  const sought = [{ template: row(all, 4), least: 0.99, limit: 3 }];
  expect(await thread.search('a', sought)).toMatchObject([[{ key: 5 }]]);
  thread.remove('a', Float64Array.from([5]));
  expect(await thread.search('a', sought)).toEqual([[]]);
  expect(await thread.search('b', sought)).toMatchObject([[{ key: 50 }]]);
  expect(await thread.measure('a')).toMatchObject({ size: 9 });
  thread.drop('b');
  expect(await thread.search('b', sought)).toEqual([[]]);
  await thread.close();
  expect(thread.ended).toBe(true);
  await expect(thread.search('a', sought)).rejects.toThrow(MatchingLost);
});
