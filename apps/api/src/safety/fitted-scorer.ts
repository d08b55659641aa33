import type { CheckedRequest } from './asked.js';
import type { SafetyScores } from './category.js';
import { type FittedSafety, fittedScores } from './fitted.js';
import { type ReadableEngine, readings } from './reading.js';
import type { SafetyScorer, ScoringOptions } from './scorer.js';

/** The model that answers the request also reads what is being asked for; weights of its own judge what it read. */
export class FittedScorer implements SafetyScorer {
  readonly thresholds: SafetyScores;

  constructor(
    private readonly engine: ReadableEngine,
    private readonly fitted: FittedSafety,
  ) {
    this.thresholds = { harm: fitted.harm.threshold, self_harm: fitted.self_harm.threshold };
  }

  async score(request: CheckedRequest, options: ScoringOptions): Promise<SafetyScores> {
    return fittedScores(this.fitted, await readings(this.engine, request, options));
  }
}
