/** As much of ONNX's protobuf as it takes to give a graph other ends: everything between them stays as it is, byte for byte. */
type Field = { readonly number: number; readonly bytes: Buffer; readonly content: Buffer };

const MODEL_GRAPH = 7;
const NODE = 1;
const INITIALIZER = 5;
const INPUT = 11;
const OUTPUT = 12;
const FLOAT = 1;
const INT32 = 6;
const INT64 = 7;

/**
 * Makes a bundle's read graph (`ids` to `kv` and `pool`) a classifier of three inputs and `logits`. Nobody asks for the kept
 * keys and values, so the runtime leaves their layout out. The pipeline sends one unpadded pair at a time, so no mask is needed.
 */
export function asClassifier(readGraph: Buffer, hidden: number, labels: number): Buffer {
  const head = Buffer.from(
    new Float32Array(Array.from({ length: hidden * labels }, (_, at) => Math.sin(at) / hidden)).buffer,
  );
  const ends = (graph: Buffer) => [
    message(NODE, [text(1, 'input_ids'), text(2, 'ids'), text(4, 'Cast'), attribute('to', INT32)]),
    ...fields(graph)
      .filter(({ number }) => number !== INPUT && number !== OUTPUT)
      .map(({ bytes }) => bytes),
    message(NODE, [text(1, 'pool'), text(1, 'made_up_head'), text(2, 'logits'), text(4, 'MatMul')]),
    message(INITIALIZER, [
      ...[integer(1, hidden), integer(1, labels), integer(2, FLOAT)],
      ...[text(8, 'made_up_head'), field(9, head)],
    ]),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) => value(INPUT, name, INT64, ['pairs', 'tokens'])),
    value(OUTPUT, 'logits', FLOAT, ['pairs', labels]),
  ];
  return Buffer.concat(
    fields(readGraph).map(({ number, bytes, content }) =>
      number === MODEL_GRAPH ? message(MODEL_GRAPH, ends(content)) : bytes,
    ),
  );
}

function fields(encoded: Buffer): Field[] {
  const found: Field[] = [];
  for (let at = 0; at < encoded.length; ) {
    const [tag, start] = readVarint(encoded, at);
    const kind = tag & 7;
    if (kind !== 0 && kind !== 2) throw new Error(`a field of kind ${kind} is not expected here`);
    const [size, content] = readVarint(encoded, start);
    const end = kind === 2 ? content + size : content;
    found.push({ number: tag >> 3, bytes: encoded.subarray(at, end), content: encoded.subarray(content, end) });
    at = end;
  }
  return found;
}

function readVarint(encoded: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from, scale = 1; ; at += 1, scale *= 128) {
    const byte = encoded[at]!;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at + 1];
  }
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}

const integer = (number: number, value: number): Buffer => Buffer.from([...varint(number << 3), ...varint(value)]);
const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(content.length)]), content]);
const text = (number: number, content: string): Buffer => field(number, Buffer.from(content));
const message = (number: number, parts: readonly Buffer[]): Buffer => field(number, Buffer.concat(parts));

/** An attribute that is a whole number. */
const attribute = (name: string, value: number): Buffer =>
  message(5, [text(1, name), integer(3, value), integer(20, 2)]);

function value(number: number, name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dimensions = shape.map((size) => message(1, [typeof size === 'number' ? integer(1, size) : text(2, size)]));
  return message(number, [text(1, name), message(2, [message(1, [integer(1, type), message(2, dimensions)])])]);
}
