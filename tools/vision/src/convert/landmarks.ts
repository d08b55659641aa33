import { GraphBuilder } from '../onnx/builder.js';
import { type Network, readNetwork, type Step, type Tensor } from '../tflite/network.js';

/** Network outputs by their order: 478 points of three numbers, how surely there is a face, how far the tongue is out. */
const OUTPUTS = [
  { name: 'points', size: 1_434 },
  { name: 'presence', size: 1 },
] as const;

/** Height, width, channel become channel, height, width; what stands before them stays. */
function channelsFirst({ shape }: Tensor): number[] {
  const [batch = 1, height = 1, width = 1, channels = 1] = shape;
  return [batch, channels, height, width];
}

/** Rows are in height, width, channel order and come out as channel, height, width. */
function moveChannels(values: Float16Array, [rows, height, width, channels]: readonly number[]): Float16Array {
  const [h, w, c] = [height ?? 1, width ?? 1, channels ?? 1];
  const moved = new Float16Array(values.length);
  for (let row = 0, to = 0; row < (rows ?? 1); row++)
    for (let channel = 0; channel < c; channel++)
      for (let pixel = 0; pixel < h * w; pixel++) moved[to++] = values[(row * h * w + pixel) * c + channel] ?? 0;
  return moved;
}

class LandmarkConverter {
  readonly #graph = new GraphBuilder('face landmarks');
  readonly #names = new Map<number, string>();
  readonly #weights = new Map<number, Tensor>();

  constructor(private readonly network: Network) {
    network.tensors.forEach((tensor, index) => {
      if (tensor.values) this.#weights.set(index, tensor);
    });
  }

  convert(): Buffer {
    const [input] = this.network.inputs;
    if (input === undefined) throw new Error('the network has no input');
    this.#names.set(input, this.#graph.input('picture', channelsFirst(this.network.tensors[input]!)));
    for (const step of this.network.steps) this.#add(step);
    OUTPUTS.forEach(({ name, size }, at) => {
      const shape = this.#graph.integers(`${name}_shape`, [1, size]);
      this.#graph.node('Reshape', [this.#name(this.network.outputs[at]), shape], name);
      this.#graph.output(name, [1, size]);
    });
    return this.#graph.model();
  }

  #name(tensor: number | undefined): string {
    const name = tensor === undefined ? undefined : this.#names.get(tensor);
    if (name === undefined) throw new Error(`tensor ${tensor} is used before it is computed`);
    return name;
  }

  #weight(tensor: number | undefined): { shape: readonly number[]; values: Float16Array } {
    const found = tensor === undefined ? undefined : this.#weights.get(tensor);
    if (!(found?.values instanceof Float16Array)) throw new Error(`tensor ${tensor} holds no weights`);
    return { shape: found.shape, values: found.values };
  }

  #add(step: Step): void {
    const [first, second] = step.inputs;
    const output = `t${step.output}`;
    switch (step.operator) {
      case 'DEQUANTIZE': {
        this.#weights.set(step.output, this.network.tensors[first!]!);
        return;
      }
      case 'CONV_2D':
      case 'DEPTHWISE_CONV_2D':
        this.#convolution(step, output);
        break;
      case 'MAX_POOL_2D':
        this.#graph.node('MaxPool', [this.#name(first)], output, this.#window(step, step.kernel));
        break;
      case 'PRELU': {
        const { shape, values } = this.#weight(second);
        const slope = this.#graph.weight(`w${second}_for_${output}`, [shape.at(-1)!, 1, 1], values);
        this.#graph.node('PRelu', [this.#name(first), slope], output);
        break;
      }
      case 'ADD':
        this.#graph.node('Add', [this.#name(first), this.#name(second)], output);
        break;
      case 'PAD':
        this.#padding(step, output);
        break;
      case 'LOGISTIC':
        this.#graph.node('Sigmoid', [this.#name(first)], output);
        break;
      case 'RESHAPE':
        this.#graph.node('Identity', [this.#name(first)], output);
        break;
    }
    this.#names.set(step.output, output);
  }

  #window(step: Step, kernel: readonly number[]): Record<string, string | readonly number[]> {
    return { auto_pad: step.same ? 'SAME_UPPER' : 'VALID', strides: step.strides, kernel_shape: kernel };
  }

  #convolution(step: Step, output: string): void {
    const [input, weights, bias] = step.inputs;
    const { shape, values } = this.#weight(weights);
    const [rows = 1, height = 1, width = 1, channels = 1] = shape;
    const depthwise = step.operator === 'DEPTHWISE_CONV_2D';
    const kernelShape = depthwise ? [channels, 1, height, width] : [rows, channels, height, width];
    const kernel = this.#graph.weight(`w${weights}_for_${output}`, kernelShape, moveChannels(values, shape));
    const offsets = this.#weight(bias);
    const offset = this.#graph.weight(`b${bias}_for_${output}`, [offsets.values.length], offsets.values);
    const attributes = { ...this.#window(step, [height, width]), group: depthwise ? channels : 1 };
    this.#graph.node('Conv', [this.#name(input), kernel, offset], output, attributes);
  }

  /** The file lists (before, after) for batch, height, width, channel. */
  #padding(step: Step, output: string): void {
    const [input, amounts] = step.inputs;
    const values = this.network.tensors[amounts!]?.values;
    if (!(values instanceof Int32Array)) throw new Error('padding without amounts');
    const order = [0, 3, 1, 2];
    const pads = [...order.map((axis) => values[2 * axis]!), ...order.map((axis) => values[2 * axis + 1]!)];
    this.#graph.node('Pad', [this.#name(input), this.#graph.integers(`${output}_pads`, pads)], output);
  }
}

/** MediaPipe's face landmark network from TensorFlow Lite, weights kept in half precision as they are there. */
export const convertLandmarks = (file: Buffer): Buffer => new LandmarkConverter(readNetwork(file)).convert();
