import { type Kernel, newKernel } from './kernel.ts';
import { lengthOf, PACKED_BYTES } from './packed.ts';

export interface Found {
  /** The name that the template was added under. */
  readonly key: number;
  readonly cosine: number;
}

export interface Sought {
  readonly template: Int8Array;
  /** Least cosine of what is found. */
  readonly least: number;
  readonly limit: number;
}

const QUERY = 0;
const SCORES = 256;
/** Rows scanned in one go. */
const ROUND = 65_536;
const ROWS = SCORES + ROUND * 4;
const PAGE = 65_536;
const FIRST_CAPACITY = 64;

/** Templates in memory, in the order of their keys. A search looks at every one of them: what it finds is exact. */
export class TemplateSet {
  readonly #kernel: Kernel = newKernel();
  #keys = new Float64Array(FIRST_CAPACITY);
  #lengths = new Float32Array(FIRST_CAPACITY);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#kernel.memory.buffer.byteLength + this.#keys.byteLength + this.#lengths.byteLength;
  }

  /** Keys rise, from one call to the next too. */
  append(keys: Float64Array, templates: Int8Array): void {
    const last = this.#count === 0 ? Number.NEGATIVE_INFINITY : this.#keys[this.#count - 1]!;
    if (keys.some((key, at) => key <= (at === 0 ? last : keys[at - 1]!))) throw new RangeError('keys must rise');
    this.#reserve(this.#count + keys.length);
    this.#rows().set(templates, this.#count * PACKED_BYTES);
    this.#keys.set(keys, this.#count);
    for (let at = 0; at < keys.length; at++)
      this.#lengths[this.#count + at] = lengthOf(templates.subarray(at * PACKED_BYTES, (at + 1) * PACKED_BYTES));
    this.#count += keys.length;
  }

  /** Keys that are not there are passed over. What is removed is overwritten. */
  remove(keys: Float64Array): void {
    const gone = new Set(keys);
    const rows = this.#rows();
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      if (gone.has(this.#keys[at]!)) continue;
      if (kept < at) {
        rows.copyWithin(kept * PACKED_BYTES, at * PACKED_BYTES, (at + 1) * PACKED_BYTES);
        this.#keys[kept] = this.#keys[at]!;
        this.#lengths[kept] = this.#lengths[at]!;
      }
      kept++;
    }
    rows.fill(0, kept * PACKED_BYTES, this.#count * PACKED_BYTES);
    this.#count = kept;
  }

  /** Most alike first; of equals the older one. */
  search({ template, least, limit }: Sought): Found[] {
    const { memory, scan } = this.#kernel;
    const length = lengthOf(template);
    new Int8Array(memory.buffer, QUERY, PACKED_BYTES).set(template);
    const scores = new Int32Array(memory.buffer, SCORES, ROUND);
    const best: Found[] = [];
    let bar = least;
    for (let start = 0; start < this.#count; start += ROUND) {
      const count = Math.min(ROUND, this.#count - start);
      scan(ROWS + start * PACKED_BYTES, QUERY, SCORES, count);
      for (let at = 0; at < count; at++) {
        const cosine = scores[at]! / (length * this.#lengths[start + at]!);
        if (!(cosine >= bar) || (best.length === limit && cosine === bar)) continue;
        const place = best.findIndex((other) => other.cosine < cosine);
        best.splice(place === -1 ? best.length : place, 0, { key: this.#keys[start + at]!, cosine });
        if (best.length > limit) best.pop();
        if (best.length === limit) bar = best.at(-1)!.cosine;
      }
    }
    return best;
  }

  #rows(): Int8Array {
    return new Int8Array(this.#kernel.memory.buffer, ROWS);
  }

  #reserve(count: number): void {
    const missing = ROWS + count * PACKED_BYTES - this.#kernel.memory.buffer.byteLength;
    if (missing > 0) {
      // By a quarter at least, so that single items do not each grow it.
      const quarter = this.#kernel.memory.buffer.byteLength / 4;
      this.#kernel.memory.grow(Math.ceil(Math.max(missing, quarter) / PAGE));
    }
    if (count <= this.#keys.length) return;
    const capacity = Math.max(count, Math.ceil(this.#keys.length * 1.25));
    const [keys, lengths] = [new Float64Array(capacity), new Float32Array(capacity)];
    keys.set(this.#keys);
    lengths.set(this.#lengths);
    [this.#keys, this.#lengths] = [keys, lengths];
  }
}
