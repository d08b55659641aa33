import { halfWeight } from './half.js';
import { type Dimension, GRAPH, MODEL, NODE, TENSOR, TYPE, valueInfo } from './model.js';
import { bytes, type Field, integer, message, text, writeFields } from './protobuf.js';

const IR_VERSION = 8;
const OPSET = 17;

/** Numbers of AttributeProto: which field holds the value, and what it then says it is. */
const INTEGER = { field: 3, type: 2 } as const;
const TEXT = { field: 4, type: 3 } as const;
const INTEGERS = { field: 8, type: 7 } as const;

export type Attributes = Readonly<Record<string, number | string | readonly number[]>>;

function attribute(name: string, value: number | string | readonly number[]): Field {
  const kind = typeof value === 'number' ? INTEGER : typeof value === 'string' ? TEXT : INTEGERS;
  const values =
    typeof value === 'string' ? [text(kind.field, value)] : [value].flat().map((number) => integer(kind.field, number));
  return message(NODE.attribute, [text(1, name), ...values, integer(20, kind.type)]);
}

/** Puts an ONNX graph together, node after node. */
export class GraphBuilder {
  readonly #nodes: Field[] = [];
  readonly #weights: Field[] = [];
  readonly #ends: Field[] = [];

  constructor(private readonly name: string) {}

  input(name: string, shape: readonly Dimension[]): string {
    this.#ends.push(message(GRAPH.input, valueInfo(name, shape)));
    return name;
  }

  output(name: string, shape: readonly Dimension[]): void {
    this.#ends.push(message(GRAPH.output, valueInfo(name, shape)));
  }

  node(op: string, inputs: readonly string[], output: string, attributes: Attributes = {}): string {
    this.#nodes.push(
      message(GRAPH.node, [
        ...inputs.map((input) => text(NODE.input, input)),
        text(NODE.output, output),
        text(NODE.name, output),
        text(NODE.op, op),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ]),
    );
    return output;
  }

  weight(name: string, shape: readonly number[], values: Float16Array): string {
    const [weight, node] = halfWeight(name, shape, values);
    this.#weights.push(weight);
    this.#nodes.push(node);
    return name;
  }

  integers(name: string, values: readonly number[]): string {
    const raw = Buffer.from(BigInt64Array.from(values, BigInt).buffer);
    const fields = [integer(TENSOR.dims, values.length), integer(TENSOR.type, TYPE.int64), text(TENSOR.name, name)];
    this.#weights.push(message(GRAPH.initializer, [...fields, bytes(TENSOR.raw, raw)]));
    return name;
  }

  model(): Buffer {
    const graph = [...this.#nodes, text(GRAPH.name, this.name), ...this.#weights, ...this.#ends];
    return writeFields([
      integer(MODEL.irVersion, IR_VERSION),
      text(MODEL.producer, 'assay'),
      message(MODEL.graph, graph),
      message(MODEL.opset, [integer(2, OPSET)]),
    ]);
  }
}
