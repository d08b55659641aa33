/** Every block starts at a multiple of this many slots, so that what precedes it cannot move its lanes in a vector. */
export const BLOCK_SLOTS = 16;
/** The slot axis ends at a multiple of this. */
export const AXIS_SLOTS = 64;

export function align(slots: number, to: number): number {
  return Math.ceil(slots / to) * to;
}

/** The slots that blocks of these lengths occupy one after another. */
export function slotsOf(lengths: Iterable<number>): number {
  let slots = 0;
  for (const length of lengths) slots += align(length, BLOCK_SLOTS);
  return slots;
}
