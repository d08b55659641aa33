import type { Priority } from '@assay/inference';
import type { CheckedRequest } from './asked.js';
import type { SafetyScores } from './category.js';

export interface ScoringOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
}

/** Says of a request how likely it asks for what the service refuses. The same request gets the same scores. */
export interface SafetyScorer {
  /** A score above this counts as asking for the category. */
  readonly thresholds: SafetyScores;
  score(request: CheckedRequest, options: ScoringOptions): Promise<SafetyScores>;
}
