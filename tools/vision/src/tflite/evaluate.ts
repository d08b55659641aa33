import type { Network, Step, Tensor } from './network.js';

type Values = Float32Array | Float16Array | Int32Array;

interface Plane {
  readonly shape: readonly number[];
  readonly values: Values;
}

/** Padding before the first row or column, as TensorFlow places it: half of what is needed, the odd one behind. */
function before(size: number, kernel: number, stride: number, same: boolean): number {
  if (!same) return 0;
  const outputs = Math.ceil(size / stride);
  return Math.floor(Math.max(0, (outputs - 1) * stride + kernel - size) / 2);
}

const outputsOf = (size: number, kernel: number, stride: number, same: boolean): number =>
  Math.ceil((same ? size : size - kernel + 1) / stride);

/** Visits every position of a window over a height, width, channel picture, by the definition and nothing cleverer. */
function slide(
  input: Plane,
  kernel: readonly [number, number],
  { strides, same }: Step,
  channels: number,
  cell: (pixels: number[], row: number, column: number) => number[],
): Plane {
  const [, height = 1, width = 1] = input.shape;
  const [rows, columns] = [
    outputsOf(height, kernel[0], strides[0], same),
    outputsOf(width, kernel[1], strides[1], same),
  ];
  const [top, left] = [before(height, kernel[0], strides[0], same), before(width, kernel[1], strides[1], same)];
  const values = new Float32Array(rows * columns * channels);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const pixels: number[] = [];
      for (let y = 0; y < kernel[0]; y++)
        for (let x = 0; x < kernel[1]; x++) {
          const [at, across] = [row * strides[0] - top + y, column * strides[1] - left + x];
          pixels.push(at < 0 || across < 0 || at >= height || across >= width ? -1 : at * width + across);
        }
      values.set(cell(pixels, row, column), (row * columns + column) * channels);
    }
  return { shape: [1, rows, columns, channels], values };
}

function convolve(input: Plane, weights: Plane, bias: Plane, step: Step): Plane {
  const [outputs = 1, height = 1, width = 1, inputs = 1] = weights.shape;
  return slide(input, [height, width], step, outputs, (pixels) =>
    Array.from({ length: outputs }, (_, output) => {
      let sum = bias.values[output]!;
      pixels.forEach((pixel, at) => {
        if (pixel < 0) return;
        for (let channel = 0; channel < inputs; channel++)
          sum +=
            input.values[pixel * inputs + channel]! * weights.values[(output * pixels.length + at) * inputs + channel]!;
      });
      return sum;
    }),
  );
}

function convolveDepthwise(input: Plane, weights: Plane, bias: Plane, step: Step): Plane {
  const [, height = 1, width = 1, channels = 1] = weights.shape;
  return slide(input, [height, width], step, channels, (pixels) =>
    Array.from({ length: channels }, (_, channel) =>
      pixels.reduce(
        (sum, pixel, at) =>
          pixel < 0 ? sum : sum + input.values[pixel * channels + channel]! * weights.values[at * channels + channel]!,
        bias.values[channel]!,
      ),
    ),
  );
}

function pool(input: Plane, step: Step): Plane {
  const channels = input.shape.at(-1)!;
  return slide(input, step.kernel, step, channels, (pixels) =>
    Array.from({ length: channels }, (_, channel) =>
      Math.max(...pixels.filter((pixel) => pixel >= 0).map((pixel) => input.values[pixel * channels + channel]!)),
    ),
  );
}

function padChannels(input: Plane, amounts: Plane): Plane {
  const channels = input.shape.at(-1)!;
  const wider = channels + amounts.values[6]! + amounts.values[7]!;
  const values = new Float32Array((input.values.length / channels) * wider);
  for (let pixel = 0; pixel < input.values.length / channels; pixel++)
    for (let channel = 0; channel < channels; channel++)
      values[pixel * wider + amounts.values[6]! + channel] = input.values[pixel * channels + channel]!;
  return { shape: [...input.shape.slice(0, -1), wider], values };
}

const each = (plane: Plane, change: (value: number, at: number) => number): Plane => ({
  shape: plane.shape,
  values: Float32Array.from(plane.values, change),
});

function run(step: Step, [first, second, third]: Plane[]): Plane {
  switch (step.operator) {
    case 'CONV_2D':
      return convolve(first!, second!, third!, step);
    case 'DEPTHWISE_CONV_2D':
      return convolveDepthwise(first!, second!, third!, step);
    case 'MAX_POOL_2D':
      return pool(first!, step);
    case 'PAD':
      return padChannels(first!, second!);
    case 'ADD':
      return each(first!, (value, at) => value + second!.values[at]!);
    case 'PRELU':
      return each(first!, (value, at) => (value < 0 ? value * second!.values[at % second!.values.length]! : value));
    case 'LOGISTIC':
      return each(first!, (value) => 1 / (1 + Math.exp(-value)));
    case 'DEQUANTIZE':
    case 'RESHAPE':
      return first!;
  }
}

/**
 * What a TensorFlow Lite network says to an input (height, width, channel), worked out by the definition of each operator. Slow, and
 * independent of the runtime and layout that the converted network is used with: that is its worth.
 */
export function evaluate(network: Network, input: Float32Array): Float32Array[] {
  const known = new Map<number, Plane>();
  network.tensors.forEach(({ shape, values }: Tensor, index) => {
    if (values) known.set(index, { shape, values });
  });
  known.set(network.inputs[0]!, { shape: network.tensors[network.inputs[0]!]!.shape, values: input });
  for (const step of network.steps)
    known.set(
      step.output,
      run(
        step,
        step.inputs.map((index) => known.get(index)!),
      ),
    );
  return network.outputs.map((index) => Float32Array.from(known.get(index)!.values));
}
