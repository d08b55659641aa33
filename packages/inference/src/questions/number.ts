import { byValue, type NumberAnswer, rounded, winner } from './answer.js';
import { checkGrid } from './limits.js';
import type { Candidate, NumberQuestion } from './question.js';

export function check(name: string, question: NumberQuestion): void {
  checkGrid(name, question.step ?? 1, size(question));
}

/** `min + k * step` up to `max`, free of the noise of binary fractions: 0.1 + 2 * 1 is 2.1. */
export function grid(question: NumberQuestion): number[] {
  const step = question.step ?? 1;
  const decimals = Math.min(100, Math.max(decimalsOf(question.min), decimalsOf(step)));
  return Array.from({ length: size(question) }, (_, k) => Number((question.min + k * step).toFixed(decimals)) + 0);
}

export function candidates(question: NumberQuestion): Candidate[] {
  return grid(question).map((value) => ({ name: String(value), text: String(value) }));
}

export function answer(question: NumberQuestion, probabilities: readonly number[]): NumberAnswer {
  const values = grid(question);
  const names = values.map(String);
  const best = winner(names, probabilities, byValue);
  return {
    type: 'number',
    number: values[best]!,
    confidence: rounded(probabilities[best]!, 2),
    probabilities: names.map((name, index) => [name, rounded(probabilities[index]!, 3)]),
  };
}

/** The tolerance keeps 0.3 in the grid from 0.1 by 0.1, which binary fractions put a hair beyond it. */
function size(question: NumberQuestion): number {
  return Math.floor((question.max - question.min) / (question.step ?? 1) + 1e-9) + 1;
}

function decimalsOf(value: number): number {
  const [digits, exponent] = String(value).split('e');
  return Math.max(0, (digits!.split('.')[1]?.length ?? 0) - Number(exponent ?? 0));
}
