import { Table } from './flatbuffer.js';

/** The operators of the face landmark network, by TensorFlow Lite's numbers. */
const OPERATORS: Readonly<Record<number, Operator>> = {
  0: 'ADD',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  6: 'DEQUANTIZE',
  14: 'LOGISTIC',
  17: 'MAX_POOL_2D',
  22: 'RESHAPE',
  34: 'PAD',
  54: 'PRELU',
};

export type Operator =
  | 'ADD'
  | 'CONV_2D'
  | 'DEPTHWISE_CONV_2D'
  | 'DEQUANTIZE'
  | 'LOGISTIC'
  | 'MAX_POOL_2D'
  | 'RESHAPE'
  | 'PAD'
  | 'PRELU';

/** Where an operator's options tell an activation that is folded into it. */
const ACTIVATION_FIELD: Partial<Record<Operator, number>> = {
  ADD: 0,
  CONV_2D: 3,
  DEPTHWISE_CONV_2D: 4,
  MAX_POOL_2D: 5,
};

const SAME = 0;
const FLOAT16 = 1;
const INT32 = 2;

export interface Tensor {
  readonly shape: readonly number[];
  /** Weights, in the order of the file (height, width, channel); none for what is computed. */
  readonly values: Float16Array | Int32Array | undefined;
}

export interface Step {
  readonly operator: Operator;
  readonly inputs: readonly number[];
  readonly output: number;
  /** Padded so that only the stride shrinks the picture; otherwise not padded at all. */
  readonly same: boolean;
  /** Strides and kernel as [height, width]. */
  readonly strides: readonly [number, number];
  readonly kernel: readonly [number, number];
}

export interface Network {
  readonly tensors: readonly Tensor[];
  readonly steps: readonly Step[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

function valuesOf(type: number, raw: Buffer): Tensor['values'] {
  if (raw.length === 0) return undefined;
  const copy = new Uint8Array(raw).buffer;
  if (type === FLOAT16) return new Float16Array(copy);
  if (type === INT32) return new Int32Array(copy);
  throw new Error(`weights of TensorFlow Lite type ${type} are not read`);
}

function readStep(table: Table, codes: readonly number[]): Step {
  const operator = OPERATORS[codes[table.int32(0)] ?? -1];
  if (!operator) throw new Error(`TensorFlow Lite operator ${codes[table.int32(0)]} is not converted`);
  const options = table.table(4);
  const isPool = operator === 'MAX_POOL_2D';
  const isWindow = isPool || operator === 'CONV_2D' || operator === 'DEPTHWISE_CONV_2D';
  const activation = ACTIVATION_FIELD[operator];
  if (activation !== undefined && options?.int8(activation)) throw new Error('a fused activation is not converted');
  return {
    operator,
    inputs: table.int32s(1),
    output: table.int32s(2)[0] ?? -1,
    same: (options?.int8(0) ?? SAME) === SAME,
    strides: isWindow && options ? [options.int32(2, 1), options.int32(1, 1)] : [1, 1],
    kernel: isPool && options ? [options.int32(4, 1), options.int32(3, 1)] : [1, 1],
  };
}

/** Reads a TensorFlow Lite file of one graph with weights in half precision. */
export function readNetwork(file: Buffer): Network {
  const model = Table.root(file);
  const codes = model.tables(1).map((code) => Math.max(code.int8(0), code.int32(3)));
  const buffers = model.tables(4);
  const graph = model.tables(2)[0];
  if (!graph) throw new Error('the TensorFlow Lite file holds no graph');
  const tensors = graph.tables(0).map((tensor) => ({
    shape: tensor.int32s(0),
    values: valuesOf(tensor.int8(1), buffers[tensor.int32(2)]?.raw(0) ?? Buffer.alloc(0)),
  }));
  const steps = graph.tables(3).map((step) => readStep(step, codes));
  return { tensors, steps, inputs: graph.int32s(1), outputs: graph.int32s(2) };
}
