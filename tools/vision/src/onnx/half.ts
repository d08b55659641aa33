import { GRAPH, NODE, nameOfTensor, TENSOR, TYPE } from './model.js';
import { bytes, bytesOf, type Field, integer, message, readFields, text } from './protobuf.js';

const ATTRIBUTE = { name: 1, integer: 3, type: 20 } as const;
const ATTRIBUTE_IS_INTEGER = 2;

/** A weight kept in half precision under another name, and the node that widens it under its own. */
export function halfWeight(name: string, shape: readonly number[], values: Float16Array): [weight: Field, node: Field] {
  const half = `${name}_half`;
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const weight = message(GRAPH.initializer, [
    ...shape.map((dim) => integer(TENSOR.dims, dim)),
    integer(TENSOR.type, TYPE.half),
    text(TENSOR.name, half),
    bytes(TENSOR.raw, raw),
  ]);
  const to = [
    text(ATTRIBUTE.name, 'to'),
    integer(ATTRIBUTE.integer, TYPE.float),
    integer(ATTRIBUTE.type, ATTRIBUTE_IS_INTEGER),
  ];
  const node = message(GRAPH.node, [
    text(NODE.input, half),
    text(NODE.output, name),
    text(NODE.name, `${name}_widen`),
    text(NODE.op, 'Cast'),
    message(NODE.attribute, to),
  ]);
  return [weight, node];
}

function floatsOf(raw: Buffer): Float32Array {
  return Float32Array.from({ length: raw.length / 4 }, (_, at) => raw.readFloatLE(at * 4));
}

function shapeOf(tensor: readonly Field[]): number[] {
  return tensor.flatMap((field) => {
    if (field.number !== TENSOR.dims) return [];
    if (field.wire !== 0) throw new Error('packed dimensions are not read');
    return [Number(field.value)];
  });
}

/** Stores every weight of two or more dimensions in half precision; the arithmetic stays in single precision. */
export function inHalfPrecision(graph: readonly Field[]): Field[] {
  const widening: Field[] = [];
  const weights = bytesOf(graph, GRAPH.initializer).map((tensor) => {
    const fields = readFields(tensor);
    const raw = bytesOf(fields, TENSOR.raw)[0] ?? bytesOf(fields, TENSOR.floats)[0];
    const shape = shapeOf(fields);
    const isFloat = fields.some((field) => field.number === TENSOR.type && field.value === BigInt(TYPE.float));
    if (!raw || !isFloat || shape.length < 2) return bytes(GRAPH.initializer, tensor);
    const [weight, node] = halfWeight(nameOfTensor(tensor), shape, Float16Array.from(floatsOf(raw)));
    widening.push(node);
    return weight;
  });
  return [...widening, ...graph.filter(({ number }) => number !== GRAPH.initializer), ...weights];
}
