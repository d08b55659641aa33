import { type CheckedRequest, whatIsAsked } from '../asked.js';
import type { SafetyScores } from '../category.js';
import type { SafetyScorer, ScoringOptions } from '../scorer.js';

/** A scorer for tests of what happens with a score: a request asks for a category when it names it. */
export class KeywordScorer implements SafetyScorer {
  readonly thresholds: SafetyScores = { harm: 0.5, self_harm: 0.5 };

  score(request: CheckedRequest, { signal }: ScoringOptions): Promise<SafetyScores> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const text = whatIsAsked(request).flat().join('\n').toLowerCase();
    const selfHarm = /kill myself/.test(text);
    return Promise.resolve({ harm: !selfHarm && /\bkill\b/.test(text) ? 0.91 : 0.02, self_harm: selfHarm ? 0.87 : 0 });
  }
}
