import type { Example } from './examples/example.js';
import type { ExampleFile } from './examples/files.js';
import { sample } from './examples/random.js';
import { type Answer, scored } from './metrics/scored.js';
import { type Predictor, RefusedError } from './predictors/predictor.js';
import type { ScoredFile } from './report/report.js';

export interface Answered {
  readonly example: Example;
  readonly answer: Answer | RefusedError;
}

export interface EvaluateOptions {
  /** Examples per file at most, drawn by seed. */
  readonly limit: number;
  readonly seed: number;
  readonly concurrency: number;
}

/** The answers in the order of the examples, `concurrency` of them asked at a time. */
export async function answers(
  predictor: Predictor,
  examples: readonly Example[],
  concurrency: number,
): Promise<Answered[]> {
  const answered: Answered[] = new Array(examples.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < examples.length; index = next++) {
      const example = examples[index]!;
      answered[index] = { example, answer: await predictor.answer(example).catch(refusal) };
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return answered;
}

function refusal(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  throw error;
}

export interface AnsweredFile {
  readonly name: string;
  readonly answered: readonly Answered[];
}

export async function answerFile(
  predictor: Predictor,
  file: ExampleFile,
  { limit, seed, concurrency }: EvaluateOptions,
): Promise<AnsweredFile> {
  return { name: file.name, answered: await answers(predictor, sample(file.examples, limit, seed), concurrency) };
}

export function scoredFile({ name, answered }: AnsweredFile): ScoredFile {
  return {
    name,
    scored: answered.flatMap(({ example, answer }) =>
      answer instanceof RefusedError ? [] : [scored(example, answer)],
    ),
    unanswered: answered.flatMap(({ answer }) => (answer instanceof RefusedError ? [answer.message] : [])),
  };
}
