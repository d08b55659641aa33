import { createHash } from 'node:crypto';
import type { Answered } from '../evaluate.js';
import type { Example } from '../examples/example.js';
import { scored } from '../metrics/scored.js';
import { RefusedError } from '../predictors/predictor.js';

export interface RecordedAnswer {
  /** Of the question and its state, so that an edited example is never compared with an answer to the old one. */
  readonly example: string;
  readonly predicted: string | null;
  readonly correct: boolean;
}

export interface Recording {
  readonly predictor: string;
  readonly accuracy: number;
  readonly answers: readonly RecordedAnswer[];
}

export function exampleKey({ state, instructions, type, criteria, min, max, step, answer }: Example): string {
  const text = JSON.stringify([state, instructions, type, criteria, min, max, step, answer]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export function record(predictor: string, answered: readonly Answered[]): Recording {
  const answers = answered.map(({ example, answer }): RecordedAnswer => {
    if (answer instanceof RefusedError) return { example: exampleKey(example), predicted: null, correct: false };
    const { predicted, correct } = scored(example, answer);
    return { example: exampleKey(example), predicted, correct };
  });
  return { predictor, accuracy: answers.filter(({ correct }) => correct).length / answers.length, answers };
}
