import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, Models } from '@assay/inference';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import type { FittedSafety } from './fitted.js';
import { FittedScorer } from './fitted-scorer.js';
import { isReadable, READING, type ReadableEngine, readings } from './reading.js';
import type { SafetyScorer } from './scorer.js';
import { StatementScorer } from './statement-scorer.js';
import { itScores } from './testing/scorer-suite.js';

const LIVE = { priority: 'live' } as const;

let folder: string;
let models: Models;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'safety-'));
  writeTinyBundle(folder);
  models = await Models.open({ roots: [folder], threads: 1 });
});
afterAll(async () => {
  await models.close();
  await rm(folder, { recursive: true });
});

const engine = (): Engine => models.list()[0]!;

function readable(): ReadableEngine {
  const tiny = engine();
  if (!isReadable(tiny)) throw new Error('the tiny model cannot be read');
  return tiny;
}

/** Weights that follow the reading closely, so that another reading has another score. */
async function fitted(): Promise<FittedScorer> {
  const [reading] = await readings(readable(), { questions: { q: { type: 'truth' } } }, LIVE);
  const weights = reading!.map((_, index) => Math.sin(index) / 10);
  const category = { weights, bias: 0, threshold: 0.5 };
  const safety: FittedSafety = { bundle: 'tiny-1.0', reading: READING, harm: category, self_harm: category };
  return new FittedScorer(readable(), safety);
}

async function tellsApart(scorer: SafetyScorer): Promise<void> {
  const ask = (state: string, instructions: string) =>
    scorer.score({ state, questions: { q: { type: 'truth', instructions } } }, LIVE);
  const one = await ask('same', 'Is it raining there today?');
  expect(await ask('same', 'Whom should we hit first of all?')).not.toEqual(one);
  expect(await ask('another state', 'Is it raining there today?')).not.toEqual(one);
}

describe('a fitted model as a scorer', () => {
  itScores(fitted);

  it('reads what is asked, and what it is asked about', async () => tellsApart(await fitted()));

  it('reads without a state as well: the place of the state is empty', async () => {
    const [reading] = await readings(readable(), { questions: { q: { type: 'truth', instructions: 'So?' } } }, LIVE);
    const half = reading!.length / 2;
    expect(Math.hypot(...reading!.slice(0, half))).toBeCloseTo(10, 4);
    expect(reading!.slice(half).every((value) => value === 0)).toBe(true);
  });
});

describe('a model without a fit as a scorer', () => {
  itScores(() => Promise.resolve(new StatementScorer(engine())));

  it('is asked about this very request', () => tellsApart(new StatementScorer(engine())));
});
