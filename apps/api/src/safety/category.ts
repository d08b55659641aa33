export const SAFETY_CATEGORIES = ['harm', 'self_harm'] as const;

export type SafetyCategory = (typeof SAFETY_CATEGORIES)[number];

/** For each category, the probability that the request asks for it. */
export type SafetyScores = { readonly [category in SafetyCategory]: number };

const shown = (probability: number): string => probability.toFixed(2);

/** The text of `x-service-safety`. */
export function safetyHeader(scores: SafetyScores): string {
  return SAFETY_CATEGORIES.map((category) => `${category}=${shown(scores[category])}`).join(', ');
}

/** The scores as a stream reply carries them: rounded as the header shows them. */
export function shownScores(scores: SafetyScores): SafetyScores {
  return { harm: Number(shown(scores.harm)), self_harm: Number(shown(scores.self_harm)) };
}
