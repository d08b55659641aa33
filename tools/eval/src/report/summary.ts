import { calibrationError } from '../metrics/calibration.js';
import { accuracy, macroF1, mean } from '../metrics/classification.js';
import { bootstrapInterval, type Interval, perfectCalibrationInterval, RESAMPLING } from '../metrics/intervals.js';
import type { Scored } from '../metrics/scored.js';
import { areaUnderRiskCoverage } from '../metrics/selective.js';

export interface Summary {
  readonly n: number;
  readonly accuracy: number;
  readonly accuracyInterval: Interval;
  /** null where the labels are not classes (number questions) or types are mixed. */
  readonly macroF1: number | null;
  readonly meanAbsoluteError: number | null;
  readonly calibrationError: number;
  readonly calibrationInterval: Interval;
  /** What a perfectly calibrated predictor with the same probabilities would show. */
  readonly perfectCalibrationInterval: Interval;
  readonly brier: number;
  readonly aurc: number;
}

export interface SummaryOptions {
  readonly bins: number;
  readonly seed: number;
}

export function summarise(items: readonly Scored[], { bins, seed }: SummaryOptions): Summary {
  const types = new Set(items.map(({ type }) => type));
  const classes = types.size === 1 && !types.has('number');
  const errors = items.flatMap(({ absoluteError }) => (absoluteError === null ? [] : [absoluteError]));
  const outcomes = items.map(({ outcome }) => outcome);
  const resampling = { ...RESAMPLING, seed };
  const ece = (sample: typeof outcomes) => calibrationError(sample, bins);
  return {
    n: items.length,
    accuracy: accuracy(items),
    accuracyInterval: bootstrapInterval(
      items.map(({ correct }) => (correct ? 1 : 0)),
      mean,
      resampling,
    ),
    macroF1: classes ? macroF1(items) : null,
    meanAbsoluteError: types.size === 1 && errors.length > 0 ? mean(errors) : null,
    calibrationError: ece(outcomes),
    calibrationInterval: bootstrapInterval(outcomes, (sample) => ece([...sample]), resampling),
    perfectCalibrationInterval: perfectCalibrationInterval(outcomes, bins, resampling),
    brier: mean(items.map(({ brier }) => brier)),
    aurc: areaUnderRiskCoverage(items),
  };
}
