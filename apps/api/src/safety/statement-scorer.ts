import type { Engine, Question } from '@assay/inference';
import { type CheckedRequest, whatIsAsked } from './asked.js';
import { SAFETY_CATEGORIES, type SafetyScores } from './category.js';
import type { SafetyScorer, ScoringOptions } from './scorer.js';
import { STATEMENTS } from './statements.js';

const QUESTIONS: ReadonlyMap<string, Question> = new Map(
  SAFETY_CATEGORIES.map((category) => [category, { type: 'truth', instructions: STATEMENTS[category] }]),
);

/** For a model without a fit: it is asked outright, and what it says is shown but never flagged. */
export class StatementScorer implements SafetyScorer {
  readonly thresholds: SafetyScores = { harm: 1, self_harm: 1 };

  constructor(private readonly engine: Engine) {}

  async score(request: CheckedRequest, options: ScoringOptions): Promise<SafetyScores> {
    const most = { harm: 0, self_harm: 0 };
    for (const state of whatIsAsked(request)) {
      const { scores } = await this.engine.answer(this.engine.prepare({ state, questions: QUESTIONS }), options);
      for (const category of SAFETY_CATEGORIES)
        most[category] = Math.max(most[category], scores.get(category)?.probabilities[0] ?? 0);
    }
    return most;
  }
}
