import { OnnxGraph } from './onnx-writer.js';

export interface PrefixShape {
  readonly layers: number;
  readonly heads: number;
  readonly headDim: number;
  readonly inner: number;
  readonly vocab: number;
  readonly positions: number;
  readonly kvType: 'float16' | 'float32';
}

export const WEIGHTS_FILE = 'weights.bin';

/** Hands out weights from one file that both graphs share; the same name is always the same numbers. */
export class Weights {
  private readonly parts = new Map<string, { offset: number; data: Float32Array; shape: readonly number[] }>();
  private end = 0;
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  in(graph: OnnxGraph, name: string, shape: readonly number[], centre = 0): string {
    let part = this.parts.get(name);
    if (part === undefined) {
      const size = shape.reduce((product, length) => product * length, 1);
      const spread = shape.length > 1 ? 2 / Math.sqrt(shape[0]! > 1000 ? shape[1]! : shape[0]!) : 0.1;
      const data = Float32Array.from({ length: size }, () => centre + spread * (2 * this.random() - 1));
      part = { offset: this.end, data, shape };
      this.parts.set(name, part);
      this.end += Math.ceil(data.byteLength / 4096) * 4096;
    }
    return graph.external(name, shape, WEIGHTS_FILE, part.offset, part.data.byteLength);
  }

  file(): Uint8Array {
    const file = new Uint8Array(this.end);
    for (const { offset, data } of this.parts.values()) file.set(new Uint8Array(data.buffer), offset);
    return file;
  }
}

class PrefixGraph {
  readonly graph = new OnnxGraph();
  readonly shape: PrefixShape;
  readonly hidden: number;
  private readonly weights: Weights;

  constructor(shape: PrefixShape, weights: Weights) {
    this.shape = shape;
    this.hidden = shape.heads * shape.headDim;
    this.weights = weights;
  }

  embed(type: 0 | 1): string {
    const { graph: g, shape, hidden } = this;
    const words = g.node('Gather', [this.weight('words', [shape.vocab, hidden]), 'ids']);
    const length = g.node('Slice', [g.node('Shape', ['ids']), g.ints(1), g.ints(2)]);
    const positions = g.node('Slice', [this.weight('positions', [shape.positions, hidden]), g.ints(0), length]);
    const types = g.node('Slice', [this.weight('types', [2, hidden]), g.ints(type), g.ints(type + 1)]);
    return this.norm('embeddings', g.node('Add', [g.node('Add', [words, positions]), types]));
  }

  /** Queries (scaled), keys and values of a layer, each [3 parts][heads, n, length, head]. */
  heads(layer: number, x: string): [string, string, string] {
    const { graph: g, shape } = this;
    const mixed = this.linear(`qkv${layer}`, x, this.hidden, 3 * this.hidden);
    const parts = g.node('Reshape', [mixed, g.ints(0, 0, 3, shape.heads, shape.headDim)]);
    const split = g.node('Transpose', [parts], { perm: [2, 3, 0, 1, 4] });
    const pick = (part: number) =>
      g.node('Squeeze', [g.node('Slice', [split, g.ints(part), g.ints(part + 1)]), g.ints(0)]);
    return [g.node('Mul', [pick(0), g.scalar(1 / Math.sqrt(shape.headDim))]), pick(1), pick(2)];
  }

  /** What follows attention: projection, feed-forward, both with their residual. `attended` is [heads, n, length, head]. */
  finishLayer(layer: number, x: string, attended: string): string {
    const { graph: g, shape, hidden } = this;
    const merged = g.node('Reshape', [g.node('Transpose', [attended], { perm: [1, 2, 0, 3] }), g.ints(0, 0, hidden)]);
    const after = this.norm(`a${layer}`, g.node('Add', [x, this.linear(`out${layer}`, merged, hidden, hidden)]));
    const wide = this.linear(`up${layer}`, after, hidden, shape.inner);
    const gate = g.node('Add', [g.node('Erf', [g.node('Mul', [wide, g.scalar(Math.SQRT1_2)])]), g.scalar(1.0000001)]);
    const gelu = g.node('Mul', [g.node('Mul', [wide, gate]), g.scalar(0.5000001)]);
    return this.norm(`f${layer}`, g.node('Add', [after, this.linear(`down${layer}`, gelu, shape.inner, hidden)]));
  }

  linear(name: string, x: string, from: number, to: number): string {
    const product = this.graph.node('MatMul', [x, this.weight(`${name}.w`, [from, to])]);
    return this.graph.node('Add', [product, this.weight(`${name}.b`, [to])]);
  }

  weight(name: string, shape: readonly number[], centre = 0): string {
    const known = this.used.get(name) ?? this.weights.in(this.graph, name, shape, centre);
    this.used.set(name, known);
    return known;
  }

  private readonly used = new Map<string, string>();

  private norm(name: string, x: string): string {
    const scale = this.weight(`${name}.scale`, [this.hidden], 1);
    return this.graph.node('LayerNormalization', [x, scale, this.weight(`${name}.shift`, [this.hidden])], {
      axis: -1,
    });
  }
}

/** ids -> kv, pool */
export function readGraph(shape: PrefixShape, weights: Weights): Uint8Array {
  const prefix = new PrefixGraph(shape, weights);
  const g = prefix.graph;
  let x = prefix.embed(0);
  const kept: string[] = [];
  for (let layer = 0; layer < shape.layers; layer += 1) {
    const [q, k, v] = prefix.heads(layer, x);
    kept.push(g.node('Unsqueeze', [k, g.ints(0)]), g.node('Unsqueeze', [v, g.ints(0)]));
    const scores = g.node('Softmax', [g.node('MatMul', [q, g.node('Transpose', [k], { perm: [0, 1, 3, 2] })])]);
    x = prefix.finishLayer(layer, x, g.node('MatMul', [scores, v]));
  }
  const all = g.node('Transpose', [g.node('Concat', kept, { axis: 0 })], { perm: [2, 0, 1, 3, 4] });
  g.node('Cast', [all], { to: shape.kvType === 'float16' ? 10 : 1 }, ['kv']);
  g.node('ReduceSum', [x, g.ints(1)], { keepdims: 0 }, ['pool']);
  return g.finish(
    [{ name: 'ids', type: 'int32', shape: ['n', 'length'] }],
    [
      { name: 'kv', type: shape.kvType, shape: ['n', 2 * shape.layers, shape.heads, 'length', shape.headDim] },
      { name: 'pool', type: 'float32', shape: ['n', prefix.hidden] },
    ],
  );
}

/** ids, mask, kv, bias, u -> logits */
export function askGraph(shape: PrefixShape, weights: Weights): Uint8Array {
  const prefix = new PrefixGraph(shape, weights);
  const g = prefix.graph;
  const { heads, headDim } = shape;
  let x = prefix.embed(1);
  const size = g.node('Shape', ['ids']);
  const slots = g.node('Shape', ['bias']);
  const own = g.node('Unsqueeze', [
    g.node('Mul', [g.node('Sub', [g.scalar(1), 'mask']), g.scalar(-10000)]),
    g.ints(0, 2),
  ]);
  const perStatement = g.node('Concat', [g.ints(heads), size, slots], { axis: 0 });
  const perHead = g.node('Concat', [g.ints(heads, -1), slots], { axis: 0 });
  const attended = g.node('Concat', [g.ints(heads), size, g.ints(headDim)], { axis: 0 });
  for (let layer = 0; layer < shape.layers; layer += 1) {
    const [q, k, v] = prefix.heads(layer, x);
    const kept = (index: number) =>
      g.node('Cast', [g.node('Squeeze', [g.node('Slice', ['kv', g.ints(index), g.ints(index + 1)]), g.ints(0)])], {
        to: 1,
      });
    const flat = g.node('Reshape', [q, g.ints(heads, -1, headDim)]);
    const far = g.node('Add', [
      g.node('MatMul', [flat, g.node('Transpose', [kept(2 * layer)], { perm: [0, 2, 1] })]),
      'bias',
    ]);
    const near = g.node('Add', [g.node('MatMul', [q, g.node('Transpose', [k], { perm: [0, 1, 3, 2] })]), own]);
    const both = g.node('Concat', [g.node('Reshape', [far, perStatement]), near], { axis: -1 });
    const shares = g.node('Softmax', [both], { axis: -1 });
    const farShares = g.node('Reshape', [g.node('Slice', [shares, g.ints(0), slots, g.ints(3)]), perHead]);
    const nearShares = g.node('Slice', [shares, slots, g.ints(1 << 30), g.ints(3)]);
    const taken = g.node('Reshape', [g.node('MatMul', [farShares, kept(2 * layer + 1)]), attended]);
    x = prefix.finishLayer(layer, x, g.node('Add', [taken, g.node('MatMul', [nearShares, v])]));
  }
  const weight = g.node('Unsqueeze', ['mask', g.ints(2)]);
  const summed = g.node('ReduceSum', [g.node('Mul', [x, weight]), g.ints(1)], { keepdims: 0 });
  const mean = g.node('Div', [summed, g.node('ReduceSum', ['mask', g.ints(1)], { keepdims: 1 })]);
  const together = g.node('Concat', [mean, g.node('Mul', [mean, 'u']), g.node('Abs', [g.node('Sub', [mean, 'u'])])], {
    axis: 1,
  });
  const dense = g.node('Tanh', [prefix.linear('head', together, 3 * prefix.hidden, prefix.hidden)]);
  g.node('Identity', [prefix.linear('logits', dense, prefix.hidden, 2)], {}, ['logits']);
  return g.finish(
    [
      { name: 'ids', type: 'int32', shape: ['n', 'length'] },
      { name: 'mask', type: 'float32', shape: ['n', 'length'] },
      { name: 'kv', type: shape.kvType, shape: [2 * shape.layers, heads, 'slots', headDim] },
      { name: 'bias', type: 'float32', shape: ['slots'] },
      { name: 'u', type: 'float32', shape: [prefix.hidden] },
    ],
    [{ name: 'logits', type: 'float32', shape: ['n', 2] }],
  );
}
