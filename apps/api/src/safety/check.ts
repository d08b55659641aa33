import type { CheckedRequest } from './asked.js';
import { SAFETY_CATEGORIES, type SafetyCategory, type SafetyScores, safetyHeader } from './category.js';
import type { SafetyScorer, ScoringOptions } from './scorer.js';

/** shadow: what would be refused is flagged and still answered; enforce: it is refused; off: nothing is scored. */
export const SAFETY_MODES = ['shadow', 'enforce', 'off'] as const;
export type SafetyMode = (typeof SAFETY_MODES)[number];

/** Where flags go. It is given ids and scores, never what the caller wrote. */
export interface SafetyLog {
  warn(fields: object, message: string): void;
}

/** What may be logged about the request that was flagged. */
export interface RequestIdentity {
  readonly requestId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
}

export interface SafetyVerdict {
  /** Absent when the check is off. */
  readonly scores: SafetyScores | undefined;
  readonly flagged: SafetyCategory | undefined;
  /** The flagged category, when the request must not be answered. */
  readonly refused: SafetyCategory | undefined;
  /** What the response carries, answered or refused. */
  readonly headers: { readonly [name: string]: string };
}

const UNCHECKED: SafetyVerdict = { scores: undefined, flagged: undefined, refused: undefined, headers: {} };

/** The category that exceeds its threshold by the most. */
function exceeded(scores: SafetyScores, thresholds: SafetyScores): SafetyCategory | undefined {
  const over = SAFETY_CATEGORIES.filter((category) => scores[category] > thresholds[category]);
  return over.sort((a, b) => scores[b] - thresholds[b] - (scores[a] - thresholds[a]))[0];
}

export class SafetyCheck {
  constructor(
    private readonly mode: SafetyMode,
    private readonly log: SafetyLog,
  ) {}

  async check(
    scorer: SafetyScorer,
    request: CheckedRequest,
    identity: RequestIdentity,
    options: ScoringOptions,
  ): Promise<SafetyVerdict> {
    if (this.mode === 'off') return UNCHECKED;
    const scores = await scorer.score(request, options);
    const flagged = exceeded(scores, scorer.thresholds);
    const refused = this.mode === 'enforce' ? flagged : undefined;
    if (flagged !== undefined)
      this.log.warn(
        { ...identity, category: flagged, ...scores, refused: refused !== undefined },
        'flagged by the safety check',
      );
    return { scores, flagged, refused, headers: headersOf(scores, refused) };
  }
}

/** A refused request is not charged. */
const REFUSAL_TOKENS = '0';

function headersOf(scores: SafetyScores, refused: SafetyCategory | undefined): { readonly [name: string]: string } {
  const scored = { 'x-service-safety': safetyHeader(scores) };
  if (refused === undefined) return scored;
  return { ...scored, 'x-service-refusal': refused, 'x-service-billable-tokens': REFUSAL_TOKENS };
}

/** The message of a refusal: it names the category and nothing of the request. */
export function refusalMessage(category: SafetyCategory): string {
  const asked = category === 'harm' ? 'harm to people' : 'help to self-harm';
  return `The safety check refused this request: it appears to ask for ${asked}`;
}
