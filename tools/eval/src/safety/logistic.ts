import { sample } from '../examples/random.js';
import { solve } from './solve.js';

/** Features of one example, and whether it belongs to the class. */
export interface Row {
  readonly features: readonly number[];
  readonly positive: boolean;
}

export interface Logistic {
  readonly weights: readonly number[];
  readonly bias: number;
}

const { exp, log, max, min, sqrt } = Math;
const STEPS = 12;
/** Keeps the system solvable when every probability is close to 0 or 1. */
const RIDGE = 1e-6;

export function predicted({ weights, bias }: Logistic, features: readonly number[]): number {
  return 1 / (1 + exp(-weights.reduce((sum, weight, index) => sum + weight * features[index]!, bias)));
}

interface Scale {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

function scaleOf(rows: readonly Row[]): Scale {
  const width = rows[0]!.features.length;
  const mean = Array.from(
    { length: width },
    (_, i) => rows.reduce((sum, row) => sum + row.features[i]!, 0) / rows.length,
  );
  const deviation = mean.map(
    (middle, i) => sqrt(rows.reduce((sum, row) => sum + (row.features[i]! - middle) ** 2, 0) / rows.length) || 1,
  );
  return { mean, deviation };
}

/** Weights over scaled features, as weights over the features themselves. */
function unscaled(weights: readonly number[], bias: number, { mean, deviation }: Scale): Logistic {
  const plain = weights.map((weight, i) => weight / deviation[i]!);
  return { weights: plain, bias: plain.reduce((sum, weight, i) => sum - weight * mean[i]!, bias) };
}

/** One step of Newton's method on the penalised log loss; the last coefficient is the bias, which has no penalty. */
function step(
  xs: readonly (readonly number[])[],
  ys: readonly number[],
  at: readonly number[],
  penalty: number,
): number[] {
  const width = at.length;
  const penalised = (index: number) => (index < width - 1 ? penalty : RIDGE);
  const slope = at.map((value, index) => (index < width - 1 ? penalty * value : 0));
  const curve = at.map((_, i) => at.map((_value, j) => (i === j ? penalised(i) : 0)));
  for (let n = 0; n < xs.length; n++) {
    const x = xs[n]!;
    let sum = 0;
    for (let i = 0; i < width; i++) sum += at[i]! * x[i]!;
    const said = 1 / (1 + exp(-sum));
    const weight = said * (1 - said);
    for (let i = 0; i < width; i++) {
      slope[i]! += (said - ys[n]!) * x[i]!;
      const line = curve[i]!;
      for (let j = 0; j < width; j++) line[j]! += weight * x[i]! * x[j]!;
    }
  }
  const change = solve(curve, slope);
  return at.map((value, index) => value - change[index]!);
}

/** Logistic regression with an L2 penalty on the weights over scaled features; the same rows give the same fit. */
export function fitLogistic(rows: readonly Row[], penalty: number): Logistic {
  const scale = scaleOf(rows);
  const xs = rows.map(({ features }) => [
    ...features.map((value, i) => (value - scale.mean[i]!) / scale.deviation[i]!),
    1,
  ]);
  const ys = rows.map(({ positive }) => (positive ? 1 : 0));
  let at: number[] = new Array(scale.mean.length + 1).fill(0);
  for (let n = 0; n < STEPS; n++) at = step(xs, ys, at, penalty);
  return unscaled(at.slice(0, -1), at.at(-1)!, scale);
}

/** For every row, what a fit that has not seen its fold says of it. */
export function crossPredicted(rows: readonly Row[], folds: number, penalty: number, seed: number): number[] {
  const order = sample(
    rows.map((_, index) => index),
    rows.length,
    seed,
  );
  const held = order.map((index) => index % folds);
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
