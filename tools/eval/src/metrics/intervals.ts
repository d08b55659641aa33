import { seededRandom } from '../examples/random.js';
import { calibrationError, type Outcome } from './calibration.js';

const { floor, max, min, round } = Math;

export type Interval = readonly [low: number, high: number];

export interface Resampling {
  readonly samples: number;
  readonly seed: number;
  /** The share of the resampled values that lies inside, 0.95 for the usual interval. */
  readonly level: number;
}

export const RESAMPLING: Resampling = { samples: 300, seed: 1, level: 0.95 };

function middle(values: number[], level: number): Interval {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number) => sorted[min(sorted.length - 1, max(0, round(share * (sorted.length - 1))))]!;
  return [at((1 - level) / 2), at(1 - (1 - level) / 2)];
}

/** Percentile bootstrap: the statistic over samples drawn with replacement. */
export function bootstrapInterval<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
  { samples, seed, level }: Resampling = RESAMPLING,
): Interval {
  const random = seededRandom(seed);
  const count = items.length;
  const values = Array.from({ length: samples }, () => statistic(items.map(() => items[floor(random() * count)]!)));
  return middle(values, level);
}

/**
 * The calibration errors that a perfectly calibrated predictor shows with these very probabilities: binned errors are
 * never 0 on a finite sample, so an error inside this interval is no evidence of miscalibration.
 */
export function perfectCalibrationInterval(
  outcomes: readonly Outcome[],
  bins: number,
  { samples, seed, level }: Resampling = RESAMPLING,
): Interval {
  const random = seededRandom(seed);
  const values = Array.from({ length: samples }, () =>
    calibrationError(
      outcomes.map(({ probability }) => ({ probability, happened: random() < probability })),
      bins,
    ),
  );
  return middle(values, level);
}
