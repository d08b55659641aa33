import { bytes, bytesOf, type Field, integer, message, readFields, text, textsOf, writeFields } from './protobuf.js';

/** Field numbers of onnx.proto. */
export const MODEL = { irVersion: 1, producer: 2, graph: 7, opset: 8 } as const;
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
export const NODE = { input: 1, output: 2, name: 3, op: 4, attribute: 5 } as const;
export const TENSOR = { dims: 1, type: 2, floats: 4, name: 8, raw: 9 } as const;
export const VALUE = { name: 1, type: 2 } as const;
export const TYPE = { float: 1, int64: 7, half: 10 } as const;

export type Dimension = number | string;

/** Name, element type and shape of an input or output; a named dimension is free. */
export function valueInfo(name: string, shape: readonly Dimension[]): Field[] {
  const dims = shape.map((dim) => message(1, [typeof dim === 'string' ? text(2, dim) : integer(1, dim)]));
  return [text(VALUE.name, name), message(VALUE.type, [message(1, [integer(1, TYPE.float), message(2, dims)])])];
}

export const nameOfValue = (value: Buffer): string => textsOf(readFields(value), VALUE.name)[0] ?? '';
export const nameOfTensor = (tensor: Buffer): string => textsOf(readFields(tensor), TENSOR.name)[0] ?? '';

/** Rewrites the graph of a model and leaves the rest of the file as it is. */
export function withGraph(model: Buffer, rewrite: (graph: Field[]) => Field[]): Buffer {
  return writeFields(
    readFields(model).map((field) =>
      field.number === MODEL.graph && field.wire === 2
        ? bytes(MODEL.graph, writeFields(rewrite(readFields(field.value))))
        : field,
    ),
  );
}

/** Keeps the nodes that the outputs need, and the weights that those nodes need. */
export function prune(graph: readonly Field[], outputs: readonly string[]): Field[] {
  const needed = new Set(outputs);
  const nodes: Buffer[] = [];
  for (const node of bytesOf(graph, GRAPH.node).reverse()) {
    const fields = readFields(node);
    if (!textsOf(fields, NODE.output).some((name) => needed.has(name))) continue;
    for (const name of textsOf(fields, NODE.input)) needed.add(name);
    nodes.unshift(node);
  }
  const weights = bytesOf(graph, GRAPH.initializer).filter((tensor) => needed.has(nameOfTensor(tensor)));
  const rest = graph.filter(({ number }) => number !== GRAPH.node && number !== GRAPH.initializer);
  return [
    ...nodes.map((node) => bytes(GRAPH.node, node)),
    ...rest,
    ...weights.map((tensor) => bytes(GRAPH.initializer, tensor)),
  ];
}

/** Old exporters list weights among the inputs, where a runtime must expect them to be replaced. */
export function withoutWeightInputs(graph: readonly Field[]): Field[] {
  const weights = new Set(bytesOf(graph, GRAPH.initializer).map(nameOfTensor));
  return graph.filter(
    (field) => field.number !== GRAPH.input || field.wire !== 2 || !weights.has(nameOfValue(field.value)),
  );
}
