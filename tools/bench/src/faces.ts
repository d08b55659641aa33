import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FaceReader, MatchThread, PACKED_BYTES, packTemplate } from '@assay/vision';
import { type Bench, quantile } from './bench.js';

const options = {
  sizes: { type: 'string', default: '1000,100000,1000000' },
  searches: { type: 'string', default: '200' },
  pictures: { type: 'string', default: '20' },
} as const;

const ROOT = join(import.meta.dirname, '../../..');
const AT_ONCE = 20_000;
/** As unlike as two pictures of one person may be: the cosine of the query with its own template. */
const LIKENESS = 0.6;

/** Numbers around zero that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    let sum = -3;
    for (let part = 0; part < 6; part++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      sum += state / 2 ** 32;
    }
    return sum;
  };
}

function unit(next: () => number): Float32Array {
  const vector = Float32Array.from({ length: PACKED_BYTES }, next);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Another picture of the same person. */
function resembling(template: Float32Array, next: () => number): Float32Array {
  const noise = unit(next);
  const rest = Math.sqrt(1 - LIKENESS ** 2);
  return template.map((value, at) => LIKENESS * value + rest * noise[at]!);
}

/** The most alike by full precision, one after another: what the search is judged by. */
function exactBest(all: Float32Array, query: Float32Array): number {
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < all.length / PACKED_BYTES; row++) {
    let dot = 0;
    for (let at = 0; at < PACKED_BYTES; at++) dot += all[row * PACKED_BYTES + at]! * query[at]!;
    if (dot > most) [best, most] = [row, dot];
  }
  return best;
}

async function searching(size: number, searches: number): Promise<void> {
  const next = numbers(size);
  const thread = new MatchThread();
  const all = new Float32Array(size * PACKED_BYTES);
  for (let start = 0; start < size; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, size - start);
    const packed = new Int8Array(count * PACKED_BYTES);
    for (let at = 0; at < count; at++) {
      const template = unit(next);
      all.set(template, (start + at) * PACKED_BYTES);
      packed.set(packTemplate(template), at * PACKED_BYTES);
    }
    thread.append(
      'bench',
      Float64Array.from({ length: count }, (_, at) => start + at),
      packed,
    );
  }
  const { bytes } = await thread.measure('bench');
  const [times, exactTimes]: [number[], number[]] = [[], []];
  let agreed = 0;
  for (let turn = 0; turn < searches; turn++) {
    const person = Math.floor((turn / searches) * size);
    const query = resembling(all.subarray(person * PACKED_BYTES, (person + 1) * PACKED_BYTES), next);
    let began = performance.now();
    const [found] = await thread.search('bench', [{ template: packTemplate(query), least: -1, limit: 5 }]);
    times.push(performance.now() - began);
    began = performance.now();
    const best = exactBest(all, query);
    exactTimes.push(performance.now() - began);
    if (found?.[0]?.key === best) agreed++;
  }
  await thread.close();
  const ms = (values: readonly number[], q: number) => `${quantile(values, q).toFixed(1)} ms`;
  console.log(
    `search of ${size.toLocaleString('en-US')}: p50 ${ms(times, 0.5)}, p99 ${ms(times, 0.99)}; plain loop in full precision ` +
      `p50 ${ms(exactTimes, 0.5)}; recall@1 ${(agreed / searches).toFixed(3)}; ${(bytes / 1e6).toFixed(0)} MB`,
  );
}

async function enrolling(pictures: number): Promise<void> {
  const reader = await FaceReader.load(join(ROOT, 'packages/models/assay-faces-1.0'), { threads: 1 });
  const portrait = readFileSync(join(ROOT, 'packages/vision/fixtures/grace-hopper.jpg'));
  await reader.faces(portrait);
  const began = performance.now();
  for (let turn = 0; turn < pictures; turn++) await reader.faces(portrait);
  const seconds = (performance.now() - began) / 1_000;
  await reader.close();
  console.log(`pictures into templates: ${(pictures / seconds).toFixed(1)} a second on one thread`);
}

export const bench: Bench = {
  summary: 'Pictures into templates, and search: time, recall against full precision, and memory',
  options: {
    '--sizes <a,b>': 'templates searched (default 1000,100000,1000000)',
    '--searches <n>': 'searches of each size (default 200)',
    '--pictures <n>': 'portraits read (default 20)',
  },
  async run(args) {
    const { values } = parseArgs({ args: [...args], options });
    await enrolling(Number(values.pictures));
    for (const size of values.sizes.split(',').map(Number)) await searching(size, Number(values.searches));
  },
};
