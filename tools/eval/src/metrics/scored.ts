import { candidateNames, type Example } from '../examples/example.js';
import type { Outcome } from './calibration.js';
import type { Labelled } from './classification.js';
import type { Claim } from './selective.js';

/** By name, in the order asked. */
export type Probabilities = readonly (readonly [name: string, probability: number])[];

interface Ranked {
  readonly confidence: number;
  readonly probabilities: Probabilities;
}

export type Answer =
  | { readonly type: 'truth'; readonly truth: number }
  | ({ readonly type: 'choice'; readonly choice: string } & Ranked)
  | ({ readonly type: 'score'; readonly score: number; readonly level: number } & Ranked)
  | ({ readonly type: 'number'; readonly number: number } & Ranked);

/** One answer set against its label, in every view that a metric takes. */
export interface Scored extends Labelled, Claim {
  readonly type: Example['type'];
  readonly candidates: number;
  /** truth: the event "it is true"; the other types: the event "the chosen answer is right". */
  readonly outcome: Outcome;
  readonly brier: number;
  readonly absoluteError: number | null;
}

export class AnswerMismatchError extends Error {
  constructor(asked: string, got: string) {
    super(`a ${asked} question was answered with a ${got} answer`);
    this.name = 'AnswerMismatchError';
  }
}

const brierOf = (probabilities: Probabilities, expected: string): number =>
  probabilities.reduce((sum, [name, probability]) => sum + (probability - (name === expected ? 1 : 0)) ** 2, 0);

export function scored(example: Example, answer: Answer): Scored {
  if (answer.type !== example.type) throw new AnswerMismatchError(example.type, answer.type);
  const expected = String(example.answer);
  const common = { type: example.type, candidates: candidateNames(example).length, expected };
  if (answer.type === 'truth') {
    const predicted = String(answer.truth >= 0.5);
    const happened = example.answer === true;
    return {
      ...common,
      predicted,
      correct: predicted === expected,
      confidence: Math.max(answer.truth, 1 - answer.truth),
      outcome: { probability: answer.truth, happened },
      brier: (answer.truth - (happened ? 1 : 0)) ** 2,
      absoluteError: null,
    };
  }
  const predicted = String(
    answer.type === 'choice' ? answer.choice : answer.type === 'score' ? answer.level : answer.number,
  );
  const value = answer.type === 'score' ? answer.score : answer.type === 'number' ? answer.number : null;
  return {
    ...common,
    predicted,
    correct: predicted === expected,
    confidence: answer.confidence,
    outcome: { probability: answer.confidence, happened: predicted === expected },
    brier: brierOf(answer.probabilities, expected),
    absoluteError: value === null ? null : Math.abs(value - Number(example.answer)),
  };
}
