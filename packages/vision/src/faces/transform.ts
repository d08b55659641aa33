import type { Point } from '../picture/orientation.ts';

/** A turn, a scale and a shift: x' = a x - b y + dx, y' = b x + a y + dy. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly dx: number;
  readonly dy: number;
}

export const apply = ({ a, b, dx, dy }: Similarity, { x, y }: Point): Point => ({
  x: a * x - b * y + dx,
  y: b * x + a * y + dy,
});

export function inverse({ a, b, dx, dy }: Similarity): Similarity {
  const square = a * a + b * b;
  const [ia, ib] = [a / square, -b / square];
  return { a: ia, b: ib, dx: -(ia * dx - ib * dy), dy: -(ib * dx + ia * dy) };
}

function middle(points: readonly Point[]): Point {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** The similarity that brings points closest to where they should lie, by least squares (Umeyama). */
export function fit(from: readonly Point[], to: readonly Point[]): Similarity {
  const [m, n] = [middle(from), middle(to)];
  let [along, across, spread] = [0, 0, 0];
  from.forEach((point, at) => {
    const [x, y] = [point.x - m.x, point.y - m.y];
    const [u, v] = [to[at]!.x - n.x, to[at]!.y - n.y];
    along += x * u + y * v;
    across += x * v - y * u;
    spread += x * x + y * y;
  });
  const [a, b] = [along / spread, across / spread];
  return { a, b, dx: n.x - a * m.x + b * m.y, dy: n.y - b * m.x - a * m.y };
}

/** Brings a turned square of the picture onto a square crop of the given side. */
export function ontoCrop(centre: Point, length: number, turn: number, side: number): Similarity {
  const scale = side / length;
  const [a, b] = [Math.cos(-turn) * scale, Math.sin(-turn) * scale];
  return { a, b, dx: side / 2 - a * centre.x + b * centre.y, dy: side / 2 - b * centre.x - a * centre.y };
}
