import type { Engine, Priority, Question } from '@assay/inference';
import { type CheckedRequest, whatIsAsked } from './asked.js';
import { STATEMENTS } from './statements.js';

export interface ScoringOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
}

const QUESTIONS: ReadonlyMap<string, Question> = new Map(
  STATEMENTS.map((instructions, index) => [String(index), { type: 'truth', instructions }]),
);

/** The place of the truth logit in the engine's scores of a truth question. */
const TRUTH_LOGIT = 1;

/** For each part of what is asked, the truth logit of every statement. */
export async function safetyFeatures(
  engine: Engine,
  request: CheckedRequest,
  { priority, signal }: ScoringOptions,
): Promise<number[][]> {
  const features: number[][] = [];
  for (const texts of whatIsAsked(request)) {
    const { scores } = await engine.answer(engine.prepare({ state: texts, questions: QUESTIONS }), {
      priority,
      signal,
    });
    features.push([...QUESTIONS.keys()].map((name) => scores.get(name)!.logits[TRUTH_LOGIT]!));
  }
  return features;
}
