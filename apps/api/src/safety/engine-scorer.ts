import type { Engine } from '@assay/inference';
import type { CheckedRequest } from './asked.js';
import type { SafetyScores } from './category.js';
import { type ScoringOptions, safetyFeatures } from './features.js';
import { type FittedSafety, fittedScores, thresholds } from './fitted.js';
import type { SafetyScorer } from './scorer.js';

/** The model that answers the request also says what is being asked for. */
export class EngineScorer implements SafetyScorer {
  readonly thresholds: SafetyScores;

  constructor(
    private readonly engine: Engine,
    private readonly fitted: FittedSafety,
  ) {
    this.thresholds = thresholds(fitted);
  }

  async score(request: CheckedRequest, options: ScoringOptions): Promise<SafetyScores> {
    return fittedScores(this.fitted, await safetyFeatures(this.engine, request, options));
  }
}
