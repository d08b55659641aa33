import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type Engine,
  type Answer as EngineAnswer,
  MaxTokensExceededError,
  Models,
  QuestionLimitError,
  type Scores,
} from '@assay/inference';
import { type Example, questionOf } from '../examples/example.js';
import type { Answer } from '../metrics/scored.js';
import { type Predictor, RefusedError } from './predictor.js';

const QUESTION = 'question';

/** Asks the engine itself, and reads its probabilities before they are rounded. */
export class BundlePredictor implements Predictor {
  readonly name: string;

  constructor(
    readonly engine: Engine,
    private readonly models: { close(): Promise<void> },
  ) {
    this.name = engine.model.id;
  }

  /** The bundle in this folder; its neighbours are loaded with it. */
  static async open(folder: string, threads?: number): Promise<BundlePredictor> {
    const { id } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { id: string };
    const models = await Models.open({ roots: [dirname(resolve(folder))], threads });
    return new BundlePredictor(models.resolve(id), models);
  }

  async answer(example: Example): Promise<Answer> {
    const questions = { [QUESTION]: questionOf(example) };
    try {
      const prepared = this.engine.prepare({ state: example.state, questions });
      const { answers, scores } = await this.engine.answer(prepared, { priority: 'batch' });
      return unrounded(answers.get(QUESTION)!, scores.get(QUESTION)!);
    } catch (error) {
      if (error instanceof MaxTokensExceededError || error instanceof QuestionLimitError)
        throw new RefusedError(error.message);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.models.close();
  }
}

function unrounded(answer: EngineAnswer, { probabilities }: Scores): Answer {
  if (answer.type === 'truth') return { ...answer, truth: probabilities[0]! };
  const named = answer.probabilities.map(([name], index) => [name, probabilities[index]!] as const);
  return { ...answer, probabilities: named, confidence: Math.max(...probabilities) };
}
