import type { Candidate, NumberQuestion } from './question.js';

/** `min + k * step` up to `max`, free of the noise of binary fractions: 0.1 + 2 * 1 is 2.1. */
export function grid(question: NumberQuestion): number[] {
  const step = question.step ?? 1;
  const steps = Math.floor((question.max - question.min) / step + 1e-9);
  return Array.from({ length: steps + 1 }, (_, k) => Number((question.min + k * step).toPrecision(12)));
}

export function candidates(question: NumberQuestion): Candidate[] {
  return grid(question).map((value) => ({ name: String(value), text: String(value) }));
}
