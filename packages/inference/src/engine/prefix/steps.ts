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

/** The statements by their padded length, in runs that fit a step. */
export function askSteps(asked: readonly Asked[], slots: number, heads: number): AskStep[] {
  const byLength = new Map<number, Asked[]>();
  for (const one of asked) {
    const length = align(one.tokens.length, STATEMENT_TOKENS);
    byLength.set(length, [...(byLength.get(length) ?? []), one]);
  }
  return [...byLength].flatMap(([length, group]) => {
    const rows = Math.max(2, Math.floor(Math.min(STEP_TOKENS, KEPT_SCRATCH / scratchPerToken(slots, heads)) / length));
    const steps: AskStep[] = [];
    for (let from = 0; from < group.length; from += rows) steps.push({ asked: group.slice(from, from + rows), length });
    return steps;
  });
}

export function scratchBytes(rows: number, length: number, slots: number, heads: number): number {
  return Math.max(2, rows) * length * scratchPerToken(slots, heads);
}

export function keepsScratch(step: AskStep, slots: number, heads: number): boolean {
  return scratchBytes(step.asked.length, step.length, slots, heads) <= KEPT_SCRATCH;
}

function scratchPerToken(slots: number, heads: number): number {
  return heads * slots * Float32Array.BYTES_PER_ELEMENT * SCRATCH_COPIES;
}
