export type Wire = 0 | 1 | 2 | 5;

/** One field of a protobuf message: a number for wire type 0, bytes for the others. */
export type Field =
  | { readonly number: number; readonly wire: 0; readonly value: bigint }
  | { readonly number: number; readonly wire: 1 | 2 | 5; readonly value: Buffer };

const FIXED: Readonly<Record<1 | 5, number>> = { 1: 8, 5: 4 };

class Reader {
  at = 0;

  constructor(readonly bytes: Buffer) {}

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('not a protobuf message');
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new Error('the protobuf message is cut off');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

export function readFields(message: Buffer): Field[] {
  const reader = new Reader(message);
  const fields: Field[] = [];
  while (reader.at < message.length) {
    const tag = Number(reader.varint());
    const number = tag >> 3;
    const wire = tag & 7;
    if (wire === 0) fields.push({ number, wire, value: reader.varint() });
    else if (wire === 2) fields.push({ number, wire, value: reader.take(Number(reader.varint())) });
    else if (wire === 1 || wire === 5) fields.push({ number, wire, value: reader.take(FIXED[wire]) });
    else throw new Error(`protobuf wire type ${wire} is not read`);
  }
  return fields;
}

function varintBytes(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}

export function writeFields(fields: readonly Field[]): Buffer {
  const parts: Buffer[] = [];
  for (const field of fields) {
    parts.push(varintBytes(BigInt((field.number << 3) | field.wire)));
    if (field.wire === 0) parts.push(varintBytes(field.value));
    else if (field.wire === 2) parts.push(varintBytes(BigInt(field.value.length)), field.value);
    else parts.push(field.value);
  }
  return Buffer.concat(parts);
}

export const integer = (number: number, value: number | bigint): Field => ({ number, wire: 0, value: BigInt(value) });
export const bytes = (number: number, value: Buffer): Field => ({ number, wire: 2, value });
export const text = (number: number, value: string): Field => bytes(number, Buffer.from(value));
export const message = (number: number, fields: readonly Field[]): Field => bytes(number, writeFields(fields));

export const bytesOf = (fields: readonly Field[], number: number): Buffer[] =>
  fields.flatMap((field) => (field.number === number && field.wire === 2 ? [field.value] : []));
export const textsOf = (fields: readonly Field[], number: number): string[] =>
  bytesOf(fields, number).map((value) => value.toString());
