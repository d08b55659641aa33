import { seededRandom } from '../examples/random.js';

/** Features of one example, and whether it belongs to the class. */
export interface Row {
  readonly features: readonly number[];
  readonly positive: boolean;
}

export interface Logistic {
  readonly weights: readonly number[];
  readonly bias: number;
}

const { exp, log, max, min } = Math;
const STEPS = 500;

export function predicted({ weights, bias }: Logistic, features: readonly number[]): number {
  let sum = bias;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * features[i]!;
  return 1 / (1 + exp(-sum));
}

/** No step of gradient descent is longer than the steepest curvature allows: a quarter of the largest squared length. */
function stepLength(rows: readonly Float64Array[], penalty: number): number {
  const longest = max(...rows.map((row) => row.reduce((sum, value) => sum + value * value, 0)));
  return 1 / (longest / 4 + penalty / rows.length);
}

/** The slope of the penalised log loss; the last feature is the constant of the bias, which has no penalty. */
function slopeAt(
  at: Float64Array,
  rows: readonly Float64Array[],
  labels: readonly number[],
  penalty: number,
): Float64Array {
  const width = at.length;
  const slope = new Float64Array(width);
  for (let n = 0; n < rows.length; n++) {
    const row = rows[n]!;
    let sum = 0;
    for (let i = 0; i < width; i++) sum += at[i]! * row[i]!;
    const miss = (1 / (1 + exp(-sum)) - labels[n]!) / rows.length;
    for (let i = 0; i < width; i++) slope[i]! += miss * row[i]!;
  }
  for (let i = 0; i < width - 1; i++) slope[i]! += (penalty / rows.length) * at[i]!;
  return slope;
}

/** Logistic regression with an L2 penalty, by Nesterov's accelerated descent: the same rows give the same fit. */
export function fitLogistic(rows: readonly Row[], penalty: number): Logistic {
  const given = rows.map(({ features }) => Float64Array.of(...features, 1));
  const labels = rows.map(({ positive }) => (positive ? 1 : 0));
  const length = stepLength(given, penalty);
  let at = new Float64Array(given[0]!.length);
  let ahead = at;
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeAt(ahead, given, labels, penalty);
    const next = ahead.map((value, i) => value - length * slope[i]!);
    const momentum = (step - 1) / (step + 2);
    ahead = next.map((value, i) => value + momentum * (value - at[i]!));
    at = next;
  }
  return { weights: [...at.subarray(0, -1)], bias: at.at(-1)! };
}

/** For every row, what a fit that has not seen its fold says of it. */
export function crossPredicted(rows: readonly Row[], folds: number, penalty: number, seed: number): number[] {
  const random = seededRandom(seed);
  const held = rows.map(() => Math.floor(random() * folds));
  const fits = Array.from({ length: folds }, (_, fold) =>
    fitLogistic(
      rows.filter((_row, index) => held[index] !== fold),
      penalty,
    ),
  );
  return rows.map(({ features }, index) => predicted(fits[held[index]!]!, features));
}

export function logLoss(rows: readonly Row[], probabilities: readonly number[]): number {
  const losses = rows.map(
    ({ positive }, i) => -log(min(1, max(1e-12, positive ? probabilities[i]! : 1 - probabilities[i]!))),
  );
  return losses.reduce((sum, loss) => sum + loss, 0) / rows.length;
}
