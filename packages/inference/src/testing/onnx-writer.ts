/** As much of ONNX's protobuf as a test bundle needs: no Python, no dependency, no binary in the repository. */
type Field = Uint8Array;

export type ElementType = 'float32' | 'int32' | 'int64' | 'float16';
const ELEMENT: Record<ElementType, number> = { float32: 1, int32: 6, int64: 7, float16: 10 };

export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

const text = new TextEncoder();

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

const integer = (field: number, value: number): Field => Uint8Array.from([...varint(field << 3), ...varint(value)]);
const bytes = (field: number, value: Uint8Array): Field =>
  join([Uint8Array.from([...varint((field << 3) | 2), ...varint(value.length)]), value]);
const string = (field: number, value: string): Field => bytes(field, text.encode(value));
const message = (field: number, parts: readonly Field[]): Field => bytes(field, join(parts));

function attribute(name: string, value: number | readonly number[]): Field {
  if (typeof value !== 'number') {
    return message(5, [string(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)]);
  }
  if (Number.isInteger(value)) return message(5, [string(1, name), integer(3, value), integer(20, 2)]);
  const float = new Uint8Array(new Float32Array([value]).buffer);
  return message(5, [string(1, name), join([Uint8Array.from([(2 << 3) | 5]), float]), integer(20, 1)]);
}

function valueInfo(field: number, value: Value): Field {
  const dimensions = value.shape.map((size) =>
    message(1, [typeof size === 'number' ? integer(1, size) : string(2, size)]),
  );
  const tensor = message(1, [integer(1, ELEMENT[value.type]), message(2, dimensions)]);
  return message(field, [string(1, value.name), message(2, [tensor])]);
}

/** One graph under construction; every call returns the name of the value it adds. */
export class OnnxGraph {
  private readonly nodes: Field[] = [];
  private readonly initializers: Field[] = [];
  private count = 0;

  node(
    op: string,
    inputs: readonly string[],
    attributes: { readonly [name: string]: number | readonly number[] } = {},
    outputs: readonly string[] = [`v${this.count++}`],
  ): string {
    this.nodes.push(
      message(1, [
        ...inputs.map((name) => string(1, name)),
        ...outputs.map((name) => string(2, name)),
        string(4, op),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ]),
    );
    return outputs[0]!;
  }

  ints(...values: number[]): string {
    return this.inline('int64', [values.length], new Uint8Array(new BigInt64Array(values.map(BigInt)).buffer));
  }

  scalar(value: number): string {
    return this.inline('float32', [], new Uint8Array(new Float32Array([value]).buffer));
  }

  /** A weight that lies in a file beside the graph. */
  external(name: string, shape: readonly number[], location: string, offset: number, length: number): string {
    const entry = (key: string, value: string) => message(13, [string(1, key), string(2, value)]);
    this.initializers.push(
      message(5, [
        ...shape.map((size) => integer(1, size)),
        integer(2, ELEMENT.float32),
        string(8, name),
        entry('location', location),
        entry('offset', String(offset)),
        entry('length', String(length)),
        integer(14, 1),
      ]),
    );
    return name;
  }

  finish(inputs: readonly Value[], outputs: readonly Value[]): Uint8Array {
    const graph = [
      ...this.nodes,
      string(2, 'graph'),
      ...this.initializers,
      ...inputs.map((value) => valueInfo(11, value)),
      ...outputs.map((value) => valueInfo(12, value)),
    ];
    return join([integer(1, 9), message(7, graph), message(8, [string(1, ''), integer(2, 17)])]);
  }

  private inline(type: ElementType, shape: readonly number[], raw: Uint8Array): string {
    const name = `c${this.count++}`;
    this.initializers.push(
      message(5, [...shape.map((size) => integer(1, size)), integer(2, ELEMENT[type]), string(8, name), bytes(9, raw)]),
    );
    return name;
  }
}
