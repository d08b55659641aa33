import { AXIS_SLOTS, align, BLOCK_SLOTS } from '../context/slots.ts';

export interface KeptShape {
  readonly layers: number;
  readonly heads: number;
  readonly headDim: number;
  readonly hidden: number;
  readonly kvType: 'float16' | 'float32';
}

/** Half floats are carried as their bits. */
export type KeptNumbers = Uint16Array | Float32Array;

interface KeptBlock {
  readonly length: number;
  readonly pool: Float32Array;
}

/** What an unused slot adds to its attention score: its share is exactly zero. */
const EMPTY = -10000;

/**
 * The keys and values of a context on one slot axis. Where a block lies is a function of the blocks before it
 * alone, and whatever is not a block is zero: two contexts of the same blocks are the same numbers, however they came about.
 */
export class KeptContext {
  private numbers: KeptNumbers;
  private scoreBias: Float32Array;
  private blocks: KeptBlock[] = [];
  private readonly shape: KeptShape;
  private slots: number;

  constructor(shape: KeptShape, slots: number) {
    this.shape = shape;
    this.slots = align(slots, AXIS_SLOTS);
    this.numbers = this.allocate(this.slots);
    this.scoreBias = new Float32Array(this.slots).fill(EMPTY);
  }

  get kv(): KeptNumbers {
    return this.numbers;
  }

  get bias(): Float32Array {
    return this.scoreBias;
  }

  get capacity(): number {
    return this.slots;
  }

  get end(): number {
    return this.startOf(this.blocks.length);
  }

  append(kv: KeptNumbers, length: number, pool: Float32Array): void {
    const at = this.end;
    if (at + align(length, BLOCK_SLOTS) > this.slots) throw new Error('a block does not fit its context');
    const { headDim } = this.shape;
    const size = length * headDim;
    for (let row = 0; row < this.rows; row += 1) {
      this.numbers.set(kv.subarray(row * size, (row + 1) * size), (row * this.slots + at) * headDim);
    }
    this.scoreBias.fill(0, at, at + length);
    this.blocks.push({ length, pool });
  }

  /** Forgets `count` blocks and moves the later ones to where they would lie had the others never been. */
  remove(first: number, count: number): void {
    const from = this.startOf(first + count);
    const to = this.startOf(first);
    const end = this.end;
    const { headDim } = this.shape;
    for (let row = 0; row < this.rows; row += 1) {
      const base = row * this.slots;
      this.numbers.copyWithin((base + to) * headDim, (base + from) * headDim, (base + end) * headDim);
      this.numbers.fill(0, (base + to + end - from) * headDim, (base + end) * headDim);
    }
    this.scoreBias.copyWithin(to, from, end);
    this.scoreBias.fill(EMPTY, to + end - from, end);
    this.blocks.splice(first, count);
  }

  resize(slots: number): void {
    const capacity = align(slots, AXIS_SLOTS);
    const { headDim } = this.shape;
    const used = Math.min(this.end, capacity) * headDim;
    const numbers = this.allocate(capacity);
    for (let row = 0; row < this.rows; row += 1) {
      const start = row * this.slots * headDim;
      numbers.set(this.numbers.subarray(start, start + used), row * capacity * headDim);
    }
    const bias = new Float32Array(capacity).fill(EMPTY);
    bias.set(this.scoreBias.subarray(0, Math.min(this.slots, capacity)));
    free(this.numbers);
    this.numbers = numbers;
    this.scoreBias = bias;
    this.slots = capacity;
  }

  /** Gives the memory back now; the collector of an idle thread would take its time. Nothing can be kept here after it. */
  release(): void {
    free(this.numbers);
    this.blocks = [];
    this.slots = 0;
  }

  /** The mean over all tokens, summed block by block in their order. */
  mean(): Float32Array {
    const sum = new Float64Array(this.shape.hidden);
    let tokens = 0;
    for (const { length, pool } of this.blocks) {
      tokens += length;
      for (let index = 0; index < sum.length; index += 1) sum[index]! += pool[index]!;
    }
    return Float32Array.from(sum, (value) => value / tokens);
  }

  private get rows(): number {
    return 2 * this.shape.layers * this.shape.heads;
  }

  private startOf(block: number): number {
    let at = 0;
    for (let index = 0; index < block; index += 1) at += align(this.blocks[index]!.length, BLOCK_SLOTS);
    return at;
  }

  private allocate(slots: number): KeptNumbers {
    const size = this.rows * slots * this.shape.headDim;
    return this.shape.kvType === 'float16' ? new Uint16Array(size) : new Float32Array(size);
  }
}

function free({ buffer }: KeptNumbers): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
