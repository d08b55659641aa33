/** EXIF orientation: how the stored rows must be turned or mirrored to stand upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where a point of the upright picture (as shares of its sides) lies in the stored one. */
const STORED: Record<Orientation, (x: number, y: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y) => [1 - x, y],
  3: (x, y) => [1 - x, 1 - y],
  4: (x, y) => [x, 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, 1 - x],
  7: (x, y) => [1 - y, 1 - x],
  8: (x, y) => [1 - y, x],
};

/** From pixels of the upright picture in work to pixels of the picture as it was sent. */
export function pointAsSent(point: Point, upright: Size, sent: Size, orientation: Orientation): Point {
  const [x, y] = STORED[orientation](point.x / upright.width, point.y / upright.height);
  return { x: x * sent.width, y: y * sent.height };
}

export function boxAsSent(box: Box, upright: Size, sent: Size, orientation: Orientation): Box {
  const a = pointAsSent({ x: box.x1, y: box.y1 }, upright, sent, orientation);
  const b = pointAsSent({ x: box.x2, y: box.y2 }, upright, sent, orientation);
  return { x1: Math.min(a.x, b.x), y1: Math.min(a.y, b.y), x2: Math.max(a.x, b.x), y2: Math.max(a.y, b.y) };
}
