import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BUFFERED = 1 << 20;

class NumberFile {
  private readonly file: number;
  private readonly buffer: Uint16Array | Uint32Array | Float64Array;
  private filled = 0;

  constructor(path: string, buffer: Uint16Array | Uint32Array | Float64Array) {
    this.file = openSync(path, 'w');
    this.buffer = buffer;
  }

  push(value: number): void {
    if (this.filled === this.buffer.length) this.flush();
    this.buffer[this.filled++] = value;
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    writeSync(this.file, new Uint8Array(this.buffer.buffer, 0, this.filled * this.buffer.BYTES_PER_ELEMENT));
    this.filled = 0;
  }
}

export interface TokenisedExample {
  readonly dataset: number;
  readonly type: number;
  readonly answer: number;
  readonly blocks: readonly ArrayLike<number>[];
  readonly instructions: readonly number[];
  readonly candidates: readonly (readonly number[])[];
  readonly values: readonly number[];
}

/**
 * A split as flat arrays that Python maps into memory: `pieces` (u16), `parts` (u32, the end of each part in `pieces`),
 * `examples` (u32: dataset, type, answer, blocks, candidates) and `values` (f64, one a candidate).
 * The parts of an example: its blocks, its instructions, its candidates.
 */
export class SplitWriter {
  private readonly folder: string;
  private readonly pieces: NumberFile;
  private readonly parts: NumberFile;
  private readonly examples: NumberFile;
  private readonly values: NumberFile;
  private position = 0;
  count = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.pieces = new NumberFile(join(folder, 'pieces.u16'), new Uint16Array(BUFFERED));
    this.parts = new NumberFile(join(folder, 'parts.u32'), new Uint32Array(BUFFERED));
    this.examples = new NumberFile(join(folder, 'examples.u32'), new Uint32Array(BUFFERED));
    this.values = new NumberFile(join(folder, 'values.f64'), new Float64Array(BUFFERED));
  }

  add(example: TokenisedExample): void {
    for (const part of [...example.blocks, example.instructions, ...example.candidates]) {
      for (let index = 0; index < part.length; index++) this.pieces.push(part[index]!);
      this.position += part.length;
      this.parts.push(this.position);
    }
    const { dataset, type, answer, blocks, candidates } = example;
    for (const field of [dataset, type, answer, blocks.length, candidates.length]) this.examples.push(field);
    for (const value of example.values) this.values.push(value);
    this.count += 1;
  }

  close(meta: object): void {
    for (const file of [this.pieces, this.parts, this.examples, this.values]) file.close();
    writeFileSync(join(this.folder, 'meta.json'), JSON.stringify({ ...meta, examples: this.count }, null, 1));
  }
}
