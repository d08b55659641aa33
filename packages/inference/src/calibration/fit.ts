import type { Question } from '../questions/question.js';
import type { CalibrationBucket } from './calibration.js';

/** One labelled answer: the logits of its candidates, and which of them was right (of a truth: 0 true, 1 false). */
export interface Labelled {
  readonly type: Question['type'];
  /** A ranking and a truth logit for each candidate. */
  readonly logits: readonly number[];
  readonly right: number;
}

/** Fewer labels than this say too little about a bucket of their own: they fall to its neighbour. */
export const LABELS_PER_BUCKET = 200;
/** Upper ends of the buckets by number of candidates. */
const EDGES = [2, 4, 8, 16, 64, 256];
const SMALLEST = 0.05;
const LARGEST = 20;

/** Temperatures, and for truths a bias, that make the labels most likely. */
export function fitCalibration(labelled: readonly Labelled[]): CalibrationBucket[] {
  return (['choice', 'truth', 'score', 'number'] as const).flatMap((type) => {
    const own = labelled.filter((one) => one.type === type);
    if (own.length === 0) return [];
    return type === 'truth' ? [fitTruth(own)] : bucketsOf(own).map((bucket) => fitRanking(type, bucket));
  });
}

interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly labelled: readonly Labelled[];
}

function bucketsOf(labelled: readonly Labelled[]): Bucket[] {
  const buckets: Bucket[] = [];
  let from = 1;
  let waiting: Labelled[] = [];
  for (const [index, to] of EDGES.entries()) {
    const above = index === 0 ? 0 : EDGES[index - 1]!;
    const here = labelled.filter(({ logits }) => logits.length / 2 > above && logits.length / 2 <= to);
    waiting = [...waiting, ...here];
    if (waiting.length < LABELS_PER_BUCKET) continue;
    buckets.push({ from, to, labelled: waiting });
    from = to + 1;
    waiting = [];
  }
  const last = buckets.pop() ?? { from: 1, labelled: [] };
  return [...buckets, { from: last.from, to: EDGES.at(-1)!, labelled: [...last.labelled, ...waiting] }];
}

function fitRanking(type: 'choice' | 'score' | 'number', bucket: Bucket): CalibrationBucket {
  const ranked = bucket.labelled.map(({ logits, right }) => {
    const ranks = logits.filter((_, index) => index % 2 === 0);
    return { ranks: ranks.map((rank) => rank - Math.max(...ranks)), right };
  });
  const loss = (temperature: number) =>
    ranked.reduce((sum, { ranks, right }) => {
      const shares = ranks.reduce((all, rank) => all + Math.exp(rank / temperature), 0);
      return sum + Math.log(shares) - ranks[right]! / temperature;
    }, 0);
  return { type, min_candidates: bucket.from, max_candidates: bucket.to, temperature: least(loss, SMALLEST, LARGEST) };
}

/** Bias and temperature in turns; the loss is convex in both of their usual forms, so this comes to rest. */
function fitTruth(labelled: readonly Labelled[]): CalibrationBucket {
  const loss = (temperature: number, bias: number) =>
    labelled.reduce((sum, { logits, right }) => {
      const signed = ((logits[1]! + bias) / temperature) * (right === 0 ? 1 : -1);
      return sum + Math.log1p(Math.exp(-Math.abs(signed))) + Math.max(0, -signed);
    }, 0);
  let temperature = 1;
  let bias = 0;
  for (let moved = 1; moved > 0.002; ) {
    const before = [temperature, bias] as const;
    bias = least((value) => loss(temperature, value), -LARGEST, LARGEST);
    temperature = least((value) => loss(value, bias), SMALLEST, LARGEST);
    moved = Math.max(Math.abs(temperature - before[0]), Math.abs(bias - before[1]));
  }
  return { type: 'truth', min_candidates: 1, max_candidates: 1, temperature, bias };
}

/** Golden-section search. */
function least(loss: (value: number) => number, low: number, high: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [from, to] = [low, high];
  while (to - from > 1e-3) {
    const [left, right] = [to - ratio * (to - from), from + ratio * (to - from)];
    if (loss(left) < loss(right)) to = right;
    else from = left;
  }
  return Number(((from + to) / 2).toFixed(3));
}
