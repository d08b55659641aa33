import * as choice from '../../../packages/inference/src/questions/choice.js';
import * as number from '../../../packages/inference/src/questions/number.js';
import type { Candidate, Question } from '../../../packages/inference/src/questions/question.js';
import * as score from '../../../packages/inference/src/questions/score.js';
import * as truth from '../../../packages/inference/src/questions/truth.js';
import type { JsonValue } from '../../../packages/inference/src/text/json.js';

/** One labelled question: a line of a data file. */
export type Example = {
  readonly dataset: string;
  readonly licence: string;
  readonly source?: string;
  readonly group: string;
  readonly state: JsonValue;
  readonly role?: string;
  readonly answer: string | number | boolean;
} & Question;

export const QUESTION_TYPES = ['truth', 'choice', 'score', 'number'] as const;

export function candidatesOf(question: Question): Candidate[] {
  switch (question.type) {
    case 'choice':
      return choice.candidates(question);
    case 'truth':
      return truth.candidates(question);
    case 'score':
      return score.candidates(question);
    case 'number':
      return number.candidates(question);
  }
}

/** The place of the answer among the candidates; for a truth 1 or 0. Undefined when the line contradicts itself. */
export function answerIndex(example: Example, candidates: readonly Candidate[]): number | undefined {
  if (example.type === 'truth') return typeof example.answer === 'boolean' ? Number(example.answer) : undefined;
  const name = String(example.answer);
  const index = candidates.findIndex((candidate) => candidate.name === name);
  return index < 0 ? undefined : index;
}
