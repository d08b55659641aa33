import type { Answer } from './answer.js';
import * as choice from './choice.js';
import * as number from './number.js';
import type { Candidate, Question } from './question.js';
import * as score from './score.js';
import * as truth from './truth.js';

interface QuestionType<Asked extends Question> {
  /** Throws a `QuestionLimitError` that names the question. */
  check(name: string, question: Asked): void;
  candidates(question: Asked): Candidate[];
  /** `probabilities` are those of the candidates, in their order. */
  answer(question: Asked, probabilities: readonly number[]): Answer;
}

const TYPES: { readonly [Type in Question['type']]: QuestionType<Extract<Question, { type: Type }>> } = {
  choice,
  truth,
  score,
  number,
};

export function typeOf<Asked extends Question>(question: Asked): QuestionType<Asked> {
  return TYPES[question.type] as QuestionType<Question>;
}
