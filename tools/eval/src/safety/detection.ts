import type { Interval } from '../metrics/intervals.js';

export interface Judged {
  readonly score: number;
  readonly positive: boolean;
}

export interface Detection {
  readonly positives: number;
  readonly negatives: number;
  readonly flagged: number;
  readonly precision: number;
  readonly precisionInterval: Interval;
  readonly recall: number;
  readonly recallInterval: Interval;
  /** Probability that a positive scores above a negative; ties count half. */
  readonly auc: number;
}

const Z95 = 1.959964;

/** Wilson's interval of a share, which holds for small counts and shares near 0 and 1. */
export function wilson(hits: number, n: number): Interval {
  if (n === 0) return [0, 1];
  const share = hits / n;
  const spread = Z95 ** 2 / n;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z95 * Math.sqrt((share * (1 - share)) / n + spread / (4 * n))) / (1 + spread);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

export function detection(judged: readonly Judged[], threshold: number): Detection {
  const positives = judged.filter(({ positive }) => positive);
  const flagged = judged.filter(({ score }) => score > threshold);
  const hits = flagged.filter(({ positive }) => positive).length;
  return {
    positives: positives.length,
    negatives: judged.length - positives.length,
    flagged: flagged.length,
    precision: flagged.length === 0 ? Number.NaN : hits / flagged.length,
    precisionInterval: wilson(hits, flagged.length),
    recall: hits / positives.length,
    recallInterval: wilson(hits, positives.length),
    auc: areaUnderRoc(judged),
  };
}

export function areaUnderRoc(judged: readonly Judged[]): number {
  const positives = judged.filter(({ positive }) => positive);
  const negatives = judged.filter(({ positive }) => !positive);
  let above = 0;
  for (const { score } of positives)
    for (const other of negatives) above += score > other.score ? 1 : score === other.score ? 0.5 : 0;
  return above / (positives.length * negatives.length);
}

/**
 * The threshold with the best F at `beta`; below 1, precision weighs more. It lies half way to the next score, so that
 * it does not hang on one example's digits.
 */
export function bestThreshold(judged: readonly Judged[], beta: number): number {
  const scores = [...new Set(judged.map(({ score }) => score))].sort((a, b) => a - b);
  const between = scores.slice(1).map((score, index) => (score + scores[index]!) / 2);
  const weigh = (threshold: number) => {
    const { precision, recall } = detection(judged, threshold);
    return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall) || 0;
  };
  const values = between.map(weigh);
  return between[values.indexOf(Math.max(...values))] ?? 1;
}
