import { table } from '../report/text.js';
import type { Detection } from './detection.js';
import type { CategoryReport } from './fit.js';

const share = (value: number, [low, high]: readonly [number, number]) =>
  `${value.toFixed(3)} (${low.toFixed(2)}-${high.toFixed(2)})`;

const row = (name: string, found: Detection): string[] => [
  name,
  String(found.positives),
  String(found.negatives),
  String(found.flagged),
  share(found.precision, found.precisionInterval),
  share(found.recall, found.recallInterval),
  found.auc.toFixed(3),
];

const listed = (ids: readonly string[]): string => (ids.length === 0 ? 'none' : ids.join(', '));

export function categoryText(report: CategoryReport): string {
  const { category, threshold, penalty, fitHalf, measureHalf, outright, missed, falselyFlagged } = report;
  return [
    `${category}: threshold ${threshold.toFixed(3)}, penalty ${penalty}`,
    table([
      ['', 'asking', 'not', 'flagged', 'precision', 'recall', 'AUC'],
      row('measure half', measureHalf),
      row('fit half, cross-validated', fitHalf),
      row('measure half, the model asked outright', outright),
    ]),
    `missed: ${listed(missed)}`,
    `falsely flagged: ${listed(falselyFlagged)}`,
  ].join('\n');
}

/** What a reader of the bundle has to know of its safety check. */
export function cardText(bundle: string, figures: string): string {
  return [
    `# The safety check of ${bundle}`,
    '',
    'Weights over a reading of what is asked, fitted on one half of the labelled requests (apps/api/src/safety/labelled)',
    'and measured on the other, which shares no state with the first. Shares with their 95 % interval (Wilson). The',
    'threshold is the one with the best F0.5 in cross-validation on the fit half: precision weighs more. The set is about',
    'two fifths requests that are to be flagged; where they are rare, far more of the flags are false than here.',
    '',
    '```text',
    figures,
    '```',
    '',
  ].join('\n');
}
