import type { Question } from '../questions/question.js';

export interface CalibrationBucket {
  readonly type: Question['type'];
  readonly min_candidates: number;
  readonly max_candidates: number;
  readonly temperature: number;
  readonly bias?: number;
}

/** How far off the probabilities of one type were, on labels that nothing was fitted on. */
export interface CalibrationMeasure {
  readonly type: Question['type'];
  readonly set: string;
  readonly labels: number;
  readonly error: number;
  readonly interval?: readonly [number, number];
  readonly bins?: number;
}

/** From the two logits of every candidate to probabilities that can be believed. */
export class Calibration {
  readonly measured: readonly CalibrationMeasure[];
  private readonly buckets: readonly CalibrationBucket[];

  constructor(buckets: readonly CalibrationBucket[], measured: readonly CalibrationMeasure[]) {
    this.buckets = buckets;
    this.measured = measured;
  }

  /** `logits` holds a ranking and a truth logit for each candidate. */
  probabilities(type: Question['type'], logits: readonly number[]): number[] {
    const candidates = logits.length / 2;
    const { temperature, bias } = this.bucket(type, candidates);
    if (type === 'truth') return [1 / (1 + Math.exp(-(logits[1]! + (bias ?? 0)) / temperature))];
    return softmax(Array.from({ length: candidates }, (_, index) => logits[2 * index]! / temperature));
  }

  private bucket(type: Question['type'], candidates: number): { temperature: number; bias?: number } {
    const fits = this.buckets.filter((bucket) => bucket.type === type);
    const within = fits.find((one) => one.min_candidates <= candidates && candidates <= one.max_candidates);
    return within ?? nearest(fits, candidates) ?? { temperature: 1 };
  }
}

function nearest(buckets: readonly CalibrationBucket[], candidates: number): CalibrationBucket | undefined {
  const distance = (bucket: CalibrationBucket) =>
    Math.max(bucket.min_candidates - candidates, candidates - bucket.max_candidates);
  return [...buckets].sort((a, b) => distance(a) - distance(b))[0];
}

/** Summed from the smallest up: the order in which the options were asked cannot reach the last bit. */
export function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits);
  const shares = logits.map((logit) => Math.exp(logit - highest));
  const sum = [...shares].sort((a, b) => a - b).reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}
