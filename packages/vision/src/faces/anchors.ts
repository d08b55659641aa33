/** RFB-320's anchors: at each stride, squares of these sides in pixels of the network's input. */
const LEVELS = [
  { stride: 8, sides: [10, 16, 24] },
  { stride: 16, sides: [32, 48] },
  { stride: 32, sides: [64, 96] },
  { stride: 64, sides: [128, 192, 256] },
] as const;

/** Numbers per anchor: centre x, centre y, width, height. */
export const ANCHOR = 4;

/** Anchors for an input of this size, in the order in which the network's heads speak of them: each level spread evenly over the input. */
export function anchorsFor(width: number, height: number): Float32Array {
  const values: number[] = [];
  for (const { stride, sides } of LEVELS) {
    const [columns, rows] = [Math.ceil(width / stride), Math.ceil(height / stride)];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        for (const side of sides)
          values.push(
            ((column + 0.5) * width) / columns,
            ((row + 0.5) * height) / rows,
            Math.min(side, width),
            Math.min(side, height),
          );
  }
  return Float32Array.from(values);
}
