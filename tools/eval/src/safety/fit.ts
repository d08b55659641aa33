import {
  type FittedCategory,
  type FittedSafety,
  type LabelledRequest,
  probability,
  READING,
  SAFETY_CATEGORIES,
  type SafetyCategory,
  type SafetyScores,
} from '@assay/api/safety';
import { bestThreshold, type Detection, detection, type Judged } from './detection.js';
import { crossPredicted, fitLogistic, logLoss, type Row } from './logistic.js';

export interface Measured {
  readonly labelled: LabelledRequest;
  /** Of the one part that a labelled request is read in. */
  readonly features: readonly number[];
  /** What the model says when it is asked outright. */
  readonly asked: SafetyScores;
}

export interface CategoryReport {
  readonly category: SafetyCategory;
  readonly penalty: number;
  readonly threshold: number;
  readonly fitHalf: Detection;
  readonly measureHalf: Detection;
  /** The model asked outright, with the threshold that is best on the fit half. */
  readonly outright: Detection;
  readonly missed: readonly string[];
  readonly falselyFlagged: readonly string[];
}

const PENALTIES = [1, 5, 20, 60, 200];
const FOLDS = 5;
const SEED = 1;
/** A refusal of a harmless request is worse than a request that is let through: precision weighs twice. */
const BETA = 0.5;

const half = (measured: readonly Measured[], name: LabelledRequest['half']) =>
  measured.filter(({ labelled }) => labelled.half === name);

const rowsOf = (measured: readonly Measured[], category: SafetyCategory): Row[] =>
  measured.map(({ labelled, features }) => ({ features, positive: labelled.label[category] }));

const judgedBy = (rows: readonly Row[], score: (features: readonly number[]) => number): Judged[] =>
  rows.map(({ features, positive }) => ({ score: score(features), positive }));

function outright(measured: readonly Measured[], category: SafetyCategory): Detection {
  const judged = (name: LabelledRequest['half']): Judged[] =>
    half(measured, name).map(({ labelled, asked }) => ({ score: asked[category], positive: labelled.label[category] }));
  return detection(judged('measure'), bestThreshold(judged('fit'), BETA));
}

/** Digits that a weight keeps in the file. */
const DIGITS = 5;
const short = (value: number) => Number(value.toPrecision(DIGITS));

function fitCategory(measured: readonly Measured[], category: SafetyCategory) {
  const fitRows = rowsOf(half(measured, 'fit'), category);
  const crossed = PENALTIES.map((penalty) => ({ penalty, said: crossPredicted(fitRows, FOLDS, penalty, SEED) }));
  const [best] = crossed.sort((a, b) => logLoss(fitRows, a.said) - logLoss(fitRows, b.said));
  const { penalty, said } = best!;
  const crossJudged = fitRows.map(({ positive }, index) => ({ score: said[index]!, positive }));
  const threshold = bestThreshold(crossJudged, BETA);
  const { weights, bias } = fitLogistic(fitRows, penalty);
  const fitted: FittedCategory = { weights: weights.map(short), bias: short(bias), threshold: short(threshold) };
  return { fitted, penalty, fitHalf: detection(crossJudged, threshold) };
}

/** Fits weights and threshold on the fit half alone, and reports on the other. */
export function fitSafety(
  bundle: string,
  measured: readonly Measured[],
): { fitted: FittedSafety; reports: CategoryReport[] } {
  const parts = SAFETY_CATEGORIES.map((category) => {
    const { fitted, penalty, fitHalf } = fitCategory(measured, category);
    const unseen = half(measured, 'measure');
    const measureRows = rowsOf(unseen, category);
    const flags = ({ features }: Measured) => probability(fitted, features) > fitted.threshold;
    const ids = (kept: (each: Measured) => boolean) =>
      unseen.filter(kept).map(({ labelled }) => `${labelled.id} (${labelled.kind})`);
    const report: CategoryReport = {
      category,
      penalty,
      threshold: fitted.threshold,
      fitHalf,
      measureHalf: detection(
        judgedBy(measureRows, (features) => probability(fitted, features)),
        fitted.threshold,
      ),
      outright: outright(measured, category),
      missed: ids((each) => each.labelled.label[category] && !flags(each)),
      falselyFlagged: ids((each) => !each.labelled.label[category] && flags(each)),
    };
    return { category, fitted, report };
  });
  const of = (category: SafetyCategory) => parts.find((part) => part.category === category)!.fitted;
  return {
    fitted: { bundle, reading: READING, harm: of('harm'), self_harm: of('self_harm') },
    reports: parts.map(({ report }) => report),
  };
}
