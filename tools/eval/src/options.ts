import { parseArgs } from 'node:util';

export const HELP = `Measures a bundle or a running service on labelled typed questions.

  npm run eval -- (--bundle <folder> | --service <base url> --model <id> | --chance) [options] <file or folder>...

Data: JSON Lines (.jsonl or .jsonl.gz), one example a line: state, instructions, type, criteria, min, max, step, answer.
A service is called with the key in ASSAY_API_KEY.

  --limit <n>         examples per file at most, drawn by seed (all)
  --seed <n>          seed of the draw and of the intervals (1)
  --bins <n>          equal-width bins of the calibration error (15)
  --concurrency <n>   questions asked at a time (4)
  --out <folder>      also write report.json, report.txt and the diagrams as SVG
  --json              print the report as JSON instead of a table
  --record <file>     write the answers, to compare with later
  --paired <file>     compare with recorded answers; exit 1 when accuracy drops by more than the margin
  --margin <x>        the drop that --paired lets pass (0.02)
  --help

  npm run eval -- safety --help    the safety check: fit its threshold, report precision and recall
  npm run eval -- draw --help      draw the small set of the quick gate
`;

export interface EvalOptions {
  readonly target:
    | { readonly kind: 'bundle'; readonly folder: string }
    | { readonly kind: 'service'; readonly baseUrl: string; readonly model: string }
    | { readonly kind: 'chance' };
  readonly data: readonly string[];
  readonly limit: number;
  readonly seed: number;
  readonly bins: number;
  readonly concurrency: number;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly record: string | undefined;
  readonly paired: string | undefined;
  readonly margin: number;
}

export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}; see --help`);
    this.name = 'UsageError';
  }
}

export function numberOption(name: string, text: string | undefined, fallback: number, least: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < least)
    throw new UsageError(`--${name} must be a number of at least ${least}`);
  return value;
}

function target(bundle: string | undefined, service: string | undefined, model: string | undefined, chance: boolean) {
  const named = [bundle, service, chance || undefined].filter((value) => value !== undefined);
  if (named.length !== 1) throw new UsageError('name one of --bundle, --service and --chance');
  if (bundle !== undefined) return { kind: 'bundle', folder: bundle } as const;
  if (service === undefined) return { kind: 'chance' } as const;
  if (model === undefined) throw new UsageError('--service needs --model');
  return { kind: 'service', baseUrl: service, model } as const;
}

export function evalOptions(args: readonly string[]): EvalOptions | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      bundle: { type: 'string' },
      service: { type: 'string' },
      model: { type: 'string' },
      chance: { type: 'boolean', default: false },
      limit: { type: 'string' },
      seed: { type: 'string' },
      bins: { type: 'string' },
      concurrency: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean', default: false },
      record: { type: 'string' },
      paired: { type: 'string' },
      margin: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (positionals.length === 0) throw new UsageError('name a data file or folder');
  return {
    target: target(values.bundle, values.service, values.model, values.chance),
    data: positionals,
    limit: numberOption('limit', values.limit, Number.POSITIVE_INFINITY, 1),
    seed: numberOption('seed', values.seed, 1, 0),
    bins: numberOption('bins', values.bins, 15, 1),
    concurrency: numberOption('concurrency', values.concurrency, 4, 1),
    out: values.out,
    json: values.json,
    record: values.record,
    paired: values.paired,
    margin: numberOption('margin', values.margin, 0.02, 0),
  };
}
