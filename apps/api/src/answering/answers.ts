import { type Answer, type Answers, orderedObject } from '@assay/contract';
import type { Answer as Given } from '@assay/inference';

function written(answer: Given): Answer {
  if (answer.type === 'truth') return { ...answer };
  return { ...answer, probabilities: orderedObject(answer.probabilities) };
}

/** Under the caller's names, in the order asked. */
export const writtenAnswers = (answers: ReadonlyMap<string, Given>): Answers =>
  orderedObject([...answers].map(([name, answer]) => [name, written(answer)]));
