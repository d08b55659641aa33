import type { Box } from '../picture/orientation.ts';

export const areaOf = ({ x1, y1, x2, y2 }: Box): number => Math.max(0, x2 - x1) * Math.max(0, y2 - y1);

/** Share of the union that two boxes have in common. */
export function overlap(a: Box, b: Box): number {
  const common = areaOf({
    x1: Math.max(a.x1, b.x1),
    y1: Math.max(a.y1, b.y1),
    x2: Math.min(a.x2, b.x2),
    y2: Math.min(a.y2, b.y2),
  });
  const both = areaOf(a) + areaOf(b) - common;
  return both > 0 ? common / both : 0;
}

export function clip(box: Box, width: number, height: number): Box {
  const inside = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return {
    x1: inside(box.x1, width),
    y1: inside(box.y1, height),
    x2: inside(box.x2, width),
    y2: inside(box.y2, height),
  };
}

export interface Scored {
  readonly box: Box;
  readonly confidence: number;
}

/** Surest first; equals by their place, so that the order never hangs on how they were found. */
const bySureness = (a: Scored, b: Scored): number =>
  b.confidence - a.confidence || a.box.x1 - b.box.x1 || a.box.y1 - b.box.y1 || areaOf(b.box) - areaOf(a.box);

/** Of boxes that lie on each other the surest one stays. */
export function withoutOverlaps<T extends Scored>(found: readonly T[], most: number): T[] {
  const kept: T[] = [];
  for (const candidate of [...found].sort(bySureness))
    if (kept.every(({ box }) => overlap(box, candidate.box) <= most)) kept.push(candidate);
  return kept;
}
