import { align } from '../../context/slots.js';

/** A statement is padded to a multiple of this: to a length that is its own, whatever is asked beside it. */
export const STATEMENT_TOKENS = 8;
/** Rows times padded length of one step: short enough that someone more urgent does not wait long. */
const STEP_TOKENS = 1024;
/** Scores, their concatenation and their softmax exist at once. */
const SCRATCH_COPIES = 3;
/** Scratch up to this is kept between steps; more is given back, which costs time. */
const KEPT_SCRATCH = 512 * 1024 * 1024;

/** One statement of one of the questions asked together. */
export interface Asked {
  readonly question: number;
  readonly candidate: number;
  readonly tokens: Int32Array;
}

export interface AskStep {
  readonly asked: readonly Asked[];
  readonly length: number;
}

/** What a step's scratch depends on beside its statements. */
export interface KeptSize {
  readonly slots: number;
  readonly heads: number;
  /** Keys and values of one slot in all layers. */
  readonly numbersPerSlot: number;
}

/** The statements by their padded length, in runs that fit a step. */
export function askSteps(asked: readonly Asked[], kept: KeptSize): AskStep[] {
  const byLength = new Map<number, Asked[]>();
  for (const one of asked) {
    const length = align(one.tokens.length, STATEMENT_TOKENS);
    byLength.set(length, [...(byLength.get(length) ?? []), one]);
  }
  const tokens = Math.min(STEP_TOKENS, KEPT_SCRATCH / scratchPerToken(kept));
  return [...byLength].flatMap(([length, group]) => {
    const rows = Math.max(2, Math.floor(tokens / length));
    const steps: AskStep[] = [];
    for (let from = 0; from < group.length; from += rows) steps.push({ asked: group.slice(from, from + rows), length });
    return steps;
  });
}

/** Attention scores, and the kept numbers as full floats. */
export function scratchBytes(rows: number, length: number, kept: KeptSize): number {
  const floats = kept.slots * kept.numbersPerSlot * Float32Array.BYTES_PER_ELEMENT;
  return floats + Math.max(2, rows) * length * scratchPerToken(kept);
}

export function keepsScratch(step: AskStep, kept: KeptSize): boolean {
  return scratchBytes(step.asked.length, step.length, kept) <= KEPT_SCRATCH;
}

function scratchPerToken({ heads, slots }: KeptSize): number {
  return heads * slots * Float32Array.BYTES_PER_ELEMENT * SCRATCH_COPIES;
}
