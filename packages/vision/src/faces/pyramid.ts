import type { Pixels } from '../picture/decode.ts';
import { inverse, type Similarity } from './transform.ts';

/** Half as wide and high; each pixel is the mean of four. A last odd row or column is left out. */
function halved({ data, width, height }: Pixels): Pixels {
  const [w, h] = [width >> 1, height >> 1];
  const half = new Uint8Array(w * h * 3);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      for (let channel = 0; channel < 3; channel++) {
        const at = (2 * y * width + 2 * x) * 3 + channel;
        const below = at + width * 3;
        half[(y * w + x) * 3 + channel] = (data[at]! + data[at + 3]! + data[below]! + data[below + 3]! + 2) >> 2;
      }
  return { data: half, width: w, height: h };
}

/** Cuts crops out of a picture. A crop much smaller than its place is cut from a halved picture, or detail would flicker. */
export class Pyramid {
  readonly #levels: Pixels[];

  constructor(pixels: Pixels) {
    this.#levels = [pixels];
  }

  /** A square crop as red, green, blue planes of 0 to 255, bilinear, black outside of the picture. */
  crop(onto: Similarity, side: number): Float32Array {
    let [level, back] = [0, inverse(onto)];
    while (Math.hypot(back.a, back.b) > 2 && this.#grow(level + 1)) {
      // The middle of a halved pixel lies between two whole ones.
      back = { a: back.a / 2, b: back.b / 2, dx: back.dx / 2 - 0.25, dy: back.dy / 2 - 0.25 };
      level++;
    }
    return sample(this.#levels[level]!, back, side);
  }

  #grow(level: number): boolean {
    const last = this.#levels.at(-1)!;
    if (this.#levels.length > level) return true;
    if (last.width < 4 || last.height < 4) return false;
    this.#levels.push(halved(last));
    return true;
  }
}

function sample({ data, width, height }: Pixels, back: Similarity, side: number): Float32Array {
  const area = side * side;
  const planes = new Float32Array(3 * area);
  const pixel = (x: number, y: number, channel: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : data[(y * width + x) * 3 + channel]!;
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const x = back.a * column - back.b * row + back.dx;
      const y = back.b * column + back.a * row + back.dy;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [right, down] = [x - left, y - top];
      for (let channel = 0; channel < 3; channel++) {
        const above = pixel(left, top, channel) * (1 - right) + pixel(left + 1, top, channel) * right;
        const below = pixel(left, top + 1, channel) * (1 - right) + pixel(left + 1, top + 1, channel) * right;
        planes[channel * area + row * side + column] = above * (1 - down) + below * down;
      }
    }
  return planes;
}
