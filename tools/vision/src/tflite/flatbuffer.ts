/** A table of a flatbuffer: fields are found through its vtable, absent ones have a default. */
export class Table {
  constructor(
    private readonly bytes: Buffer,
    private readonly at: number,
  ) {}

  static root(bytes: Buffer): Table {
    return new Table(bytes, bytes.readUInt32LE(0));
  }

  #place(field: number): number | undefined {
    const vtable = this.at - this.bytes.readInt32LE(this.at);
    const entry = 4 + 2 * field;
    const offset = entry < this.bytes.readUInt16LE(vtable) ? this.bytes.readUInt16LE(vtable + entry) : 0;
    return offset === 0 ? undefined : this.at + offset;
  }

  #target(field: number): number | undefined {
    const place = this.#place(field);
    return place === undefined ? undefined : place + this.bytes.readUInt32LE(place);
  }

  #vector<T>(field: number, item: (at: number) => T, size: number): T[] {
    const start = this.#target(field);
    if (start === undefined) return [];
    return Array.from({ length: this.bytes.readUInt32LE(start) }, (_, index) => item(start + 4 + size * index));
  }

  int8(field: number, otherwise = 0): number {
    const place = this.#place(field);
    return place === undefined ? otherwise : this.bytes.readInt8(place);
  }

  int32(field: number, otherwise = 0): number {
    const place = this.#place(field);
    return place === undefined ? otherwise : this.bytes.readInt32LE(place);
  }

  table(field: number): Table | undefined {
    const target = this.#target(field);
    return target === undefined ? undefined : new Table(this.bytes, target);
  }

  tables(field: number): Table[] {
    return this.#vector(field, (at) => new Table(this.bytes, at + this.bytes.readUInt32LE(at)), 4);
  }

  int32s(field: number): number[] {
    return this.#vector(field, (at) => this.bytes.readInt32LE(at), 4);
  }

  raw(field: number): Buffer {
    const start = this.#target(field);
    if (start === undefined) return Buffer.alloc(0);
    return this.bytes.subarray(start + 4, start + 4 + this.bytes.readUInt32LE(start));
  }
}
