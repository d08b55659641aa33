import { mean } from '../metrics/classification.js';
import type { Scored } from '../metrics/scored.js';
import { type Summary, type SummaryOptions, summarise } from './summary.js';

export interface ScoredFile {
  readonly name: string;
  readonly scored: readonly Scored[];
  /** Examples that the predictor refused, with the first few reasons: they are in no metric, so they must be seen. */
  readonly unanswered: readonly string[];
}

export interface Row extends Summary {
  readonly name: string;
}

export interface Report {
  readonly predictor: string;
  readonly bins: number;
  readonly seed: number;
  readonly files: readonly Row[];
  readonly types: readonly Row[];
  readonly buckets: readonly Row[];
  readonly all: Row;
  /** Every set weighs the same, whatever its size. */
  readonly macro: {
    readonly sets: number;
    readonly accuracy: number;
    readonly calibrationError: number;
    readonly brier: number;
    readonly aurc: number;
  };
  readonly unanswered: readonly {
    readonly file: string;
    readonly count: number;
    readonly reasons: readonly string[];
  }[];
}

const BUCKETS: readonly (readonly [from: number, to: number])[] = [
  [1, 1],
  [2, 2],
  [3, 4],
  [5, 8],
  [9, 20],
  [21, 77],
  [78, 256],
];

function bucketOf({ type, candidates }: Scored): string {
  const [from, to] = BUCKETS.find(([low, high]) => candidates >= low && candidates <= high) ?? [257, candidates];
  return `${type} ${from === to ? from : `${from}-${to}`}`;
}

function rows(items: readonly Scored[], nameOf: (item: Scored) => string, options: SummaryOptions): Row[] {
  return [...Map.groupBy(items, nameOf)].map(([name, group]) => ({ name, ...summarise(group, options) }));
}

const byName = (a: Row, b: Row) => a.name.localeCompare(b.name, 'en', { numeric: true });

export function report(predictor: string, files: readonly ScoredFile[], options: SummaryOptions): Report {
  const answered = files.filter(({ scored }) => scored.length > 0);
  const all = answered.flatMap(({ scored }) => scored);
  if (all.length === 0) throw new Error('no example was answered');
  const perFile = answered.map(({ name, scored }) => ({ name, ...summarise(scored, options) }));
  const across = (field: 'accuracy' | 'calibrationError' | 'brier' | 'aurc') => mean(perFile.map((row) => row[field]));
  return {
    predictor,
    ...options,
    files: perFile,
    types: rows(all, ({ type }) => type, options).sort(byName),
    buckets: rows(all, bucketOf, options).sort(byName),
    all: { name: 'all', ...summarise(all, options) },
    macro: {
      sets: perFile.length,
      accuracy: across('accuracy'),
      calibrationError: across('calibrationError'),
      brier: across('brier'),
      aurc: across('aurc'),
    },
    unanswered: files
      .filter(({ unanswered }) => unanswered.length > 0)
      .map(({ name, unanswered }) => ({
        file: name,
        count: unanswered.length,
        reasons: [...new Set(unanswered)].slice(0, 3),
      })),
  };
}
