import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  fittedScores,
  isReadable,
  type ReadableEngine,
  readings,
  readLabelled,
  SAFETY_CATEGORIES,
  SAFETY_FILE,
  type SafetyScores,
  StatementScorer,
} from '@assay/api/safety';
import { questionOf } from '../examples/example.js';
import { dataFiles, readExamples } from '../examples/files.js';
import { UsageError } from '../options.js';
import { BundlePredictor } from '../predictors/bundle.js';
import { type CategoryReport, fitSafety, type Measured } from './fit.js';
import { cardText, categoryText } from './text.js';

export const SAFETY_HELP = `Fits the safety check of a bundle on one half of the labelled requests and measures it on the other.

  npm run eval -- safety --bundle <folder> [--labelled <folder>] [--write] [--json] [--ordinary <file or folder>]...

  --labelled <folder>   labelled requests (apps/api/src/safety/labelled)
  --write               keep the fit as safety.json, and its figures as SAFETY.md, in the bundle's folder
  --ordinary <path>     examples in the format of eval, counted when they are flagged; may be given several times
`;

/** The figures of the fit, beside it. */
const CARD_FILE = 'SAFETY.md';
const LABELLED = join('apps', 'api', 'src', 'safety', 'labelled');
const ONE_AT_A_TIME = { priority: 'batch' } as const;

async function measured(engine: ReadableEngine, folder: string): Promise<Measured[]> {
  const statements = new StatementScorer(engine);
  const all: Measured[] = [];
  for (const labelled of await readLabelled(folder)) {
    const [features, ...more] = await readings(engine, labelled.request, ONE_AT_A_TIME);
    if (features === undefined || more.length > 0) throw new Error(`${labelled.id} is not read in one part`);
    all.push({ labelled, features, asked: await statements.score(labelled.request, ONE_AT_A_TIME) });
  }
  return all;
}

interface OrdinaryCount {
  readonly category: string;
  readonly flagged: number;
  readonly of: number;
}

async function ordinaryFlags(
  engine: ReadableEngine,
  fitted: ReturnType<typeof fitSafety>['fitted'],
  paths: readonly string[],
): Promise<OrdinaryCount[]> {
  const scores: SafetyScores[] = [];
  for (const path of await dataFiles(paths)) {
    for (const example of (await readExamples(path)).examples) {
      const request = { state: example.state, questions: { question: questionOf(example) } };
      scores.push(fittedScores(fitted, await readings(engine, request, ONE_AT_A_TIME)));
    }
  }
  return SAFETY_CATEGORIES.map((category) => ({
    category,
    flagged: scores.filter((score) => score[category] > fitted[category].threshold).length,
    of: scores.length,
  }));
}

const text = (reports: readonly CategoryReport[], ordinary: readonly OrdinaryCount[]): string =>
  [
    ...reports.map(categoryText),
    ...ordinary.map(({ category, flagged, of }) => `${category}: ${flagged} of ${of} ordinary requests flagged`),
  ].join('\n\n');

export async function safetyCommand(args: readonly string[], print: (text: string) => void): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      bundle: { type: 'string' },
      labelled: { type: 'string' },
      ordinary: { type: 'string', multiple: true },
      write: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(SAFETY_HELP);
  if (values.bundle === undefined) throw new UsageError('safety needs --bundle');
  const predictor = await BundlePredictor.open(values.bundle);
  try {
    const { engine } = predictor;
    if (!isReadable(engine)) throw new UsageError(`${predictor.name} is a kind of model that cannot be fitted`);
    const { fitted, reports } = fitSafety(predictor.name, await measured(engine, values.labelled ?? LABELLED));
    const ordinary = await ordinaryFlags(engine, fitted, values.ordinary ?? []);
    if (values.write) {
      await writeFile(join(values.bundle, SAFETY_FILE), `${JSON.stringify(fitted)}\n`);
      await writeFile(join(values.bundle, CARD_FILE), cardText(predictor.name, text(reports, ordinary)));
    }
    print(values.json ? JSON.stringify({ fitted, reports, ordinary }, null, 2) : text(reports, ordinary));
  } finally {
    await predictor.close();
  }
}
