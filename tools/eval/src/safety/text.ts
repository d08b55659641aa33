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
