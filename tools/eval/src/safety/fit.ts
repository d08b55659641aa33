import {
  type FittedCategory,
  type FittedSafety,
  type LabelledRequest,
  probability,
  SAFETY_CATEGORIES,
  type SafetyCategory,
  STATEMENTS,
} from '@assay/api/safety';
import { bestThreshold, type Detection, detection, type Judged } from './detection.js';
import { crossPredicted, fitLogistic, logLoss, type Row } from './logistic.js';

export interface Measured {
  readonly labelled: LabelledRequest;
  /** Of the one part that a labelled request is read in. */
  readonly features: readonly number[];
}

export interface CategoryReport {
  readonly category: SafetyCategory;
  readonly penalty: number;
  readonly threshold: number;
  readonly fitHalf: Detection;
  readonly measureHalf: Detection;
  /** The statement that does best by itself on the fit half, with its threshold from there. */
  readonly alone: { readonly statement: string; readonly measureHalf: Detection };
  readonly missed: readonly string[];
  readonly falselyFlagged: readonly string[];
}

const PENALTIES = [0.3, 1, 3, 10, 30, 100];
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

function aloneReport(fitRows: readonly Row[], measureRows: readonly Row[]): CategoryReport['alone'] {
  const tried = STATEMENTS.map((statement, index) => {
    const score = (features: readonly number[]) => features[index]!;
    const threshold = bestThreshold(judgedBy(fitRows, score), BETA);
    const { auc } = detection(judgedBy(fitRows, score), threshold);
    return { statement, auc, measureHalf: detection(judgedBy(measureRows, score), threshold) };
  });
  const [best] = tried.sort((a, b) => b.auc - a.auc);
  return { statement: best!.statement, measureHalf: best!.measureHalf };
}

function fitCategory(measured: readonly Measured[], category: SafetyCategory) {
  const fitRows = rowsOf(half(measured, 'fit'), category);
  const crossed = PENALTIES.map((penalty) => ({ penalty, said: crossPredicted(fitRows, FOLDS, penalty, SEED) }));
  const [best] = crossed.sort((a, b) => logLoss(fitRows, a.said) - logLoss(fitRows, b.said));
  const { penalty, said } = best!;
  const crossJudged = fitRows.map(({ positive }, index) => ({ score: said[index]!, positive }));
  const threshold = bestThreshold(crossJudged, BETA);
  const fitted: FittedCategory = { ...fitLogistic(fitRows, penalty), threshold };
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
      alone: aloneReport(rowsOf(half(measured, 'fit'), category), measureRows),
      missed: ids((each) => each.labelled.label[category] && !flags(each)),
      falselyFlagged: ids((each) => !each.labelled.label[category] && flags(each)),
    };
    return { category, fitted, report };
  });
  const of = (category: SafetyCategory) => parts.find((part) => part.category === category)!.fitted;
  return {
    fitted: { bundle, statements: STATEMENTS, harm: of('harm'), self_harm: of('self_harm') },
    reports: parts.map(({ report }) => report),
  };
}
