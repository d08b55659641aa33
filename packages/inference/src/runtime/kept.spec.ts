import { mulberry } from '../testing/tiny-bundle.js';
import { KeptContext, type KeptShape } from './kept.js';

const shape: KeptShape = { layers: 1, heads: 2, headDim: 4, hidden: 8, kvType: 'float32' };
const ROWS = 2 * shape.layers * shape.heads;

interface TestBlock {
  readonly kv: Float32Array;
  readonly length: number;
  readonly pool: Float32Array;
}

function block(random: () => number): TestBlock {
  const length = 2 + Math.floor(random() * 40);
  const numbers = (count: number) => Float32Array.from({ length: count }, random);
  return { length, kv: numbers(ROWS * length * shape.headDim), pool: numbers(shape.hidden) };
}

function holding(blocks: readonly TestBlock[], slots: number): KeptContext {
  const kept = new KeptContext(shape, slots);
  for (const { kv, length, pool } of blocks) kept.append(kv, length, pool);
  return kept;
}

const content = (kept: KeptContext) => ({
  kv: [...kept.kv],
  bias: [...kept.bias],
  mean: [...kept.mean()],
  end: kept.end,
});

describe('KeptContext', () => {
  it('is the same numbers however its blocks came about', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = mulberry(seed);
      const below = (limit: number) => Math.floor(random() * limit);
      const blocks = Array.from({ length: 2 + below(6) }, () => block(random));
      const kept = holding(blocks.slice(0, 2), 128);
      let held = blocks.slice(0, 2);
      for (const next of blocks.slice(2)) {
        if (below(2) === 0 && held.length > 1) {
          const first = below(held.length - 1);
          kept.remove(first, 1);
          held = held.toSpliced(first, 1);
        }
        kept.resize(kept.capacity + 64 * (1 + below(2)));
        kept.append(next.kv, next.length, next.pool);
        held = [...held, next];
      }
      expect(content(kept)).toEqual(content(holding(held, kept.capacity)));
    }
  });

  it('starts blocks at multiples of 16 and ends at a multiple of 64', () => {
    const random = mulberry(3);
    const kept = holding([{ ...block(random), length: 17 }], 70);
    expect(kept.end).toBe(32);
    expect(kept.capacity).toBe(128);
    expect(kept.bias.slice(0, 18)).toEqual(Float32Array.from([...Array(17).fill(0), -10000]));
  });

  it('gives its memory back at once', () => {
    const kept = holding([block(mulberry(4))], 128);
    const { buffer } = kept.kv;
    kept.release();
    expect(buffer.byteLength).toBe(0);
    expect(() => kept.append(new Float32Array(ROWS * 2 * 4), 2, new Float32Array(8))).toThrow('does not fit');
  });

  it('refuses a block that does not fit', () => {
    const kept = holding([], 64);
    expect(() => kept.append(new Float32Array(ROWS * 70 * 4), 70, new Float32Array(8))).toThrow('does not fit');
  });
});
