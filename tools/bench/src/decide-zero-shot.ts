import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { median } from './bench.js';
import { sentences } from './decide-requests.js';
import { writeZeroShotModel } from './decide-zero-shot-model.js';

const HOME = fileURLToPath(new URL('../zero-shot', import.meta.url));
const PACKAGE = join(HOME, 'node_modules', '@huggingface', 'transformers', 'dist', 'transformers.node.mjs');
/** A message, and a letter that still fits into the positions of the backbone together with a hypothesis. */
const STATES = [
  { name: 'a message of 4 sentences', text: sentences(4) },
  { name: 'a letter of 28 sentences', text: sentences(28) },
];

type Pipeline = (text: string, labels: readonly string[]) => Promise<{ scores: number[] }>;

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'zero-shot-classification', model: string, options: object): Promise<Pipeline>;
}

export interface ZeroShotOptions {
  readonly models: string;
  readonly model: string;
  readonly threads: number | undefined;
  readonly options: readonly number[];
  readonly rounds: number;
  readonly decide: (body: object) => Promise<void>;
}

async function transformers(): Promise<Transformers> {
  if (!existsSync(PACKAGE)) {
    console.log('Installing @huggingface/transformers, once …');
    execFileSync('npm', ['install', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: HOME,
    });
  }
  return (await import(pathToFileURL(PACKAGE).href)) as Transformers;
}

/**
 * One choice of n options: a decide call over HTTP against the pipeline, which reads the state anew for every option.
 * Both run the very same layers and weights; the pipeline's head is made up, so its answers are not compared.
 */
export async function zeroShot({ models, model, threads, options, rounds, decide }: ZeroShotOptions): Promise<void> {
  const { env, pipeline } = await transformers();
  const folder = mkdtempSync(join(tmpdir(), 'assay-zero-shot-'));
  try {
    writeZeroShotModel(join(models, model), join(folder, model));
    Object.assign(env, { allowRemoteModels: false, localModelPath: folder });
    const session_options = threads === undefined ? {} : { intraOpNumThreads: threads, interOpNumThreads: 1 };
    const classify = await pipeline('zero-shot-classification', model, { dtype: 'fp32', session_options });
    console.log(`one choice, ${rounds} rounds in turns; medians in ms\n`);
    for (const { name, text } of STATES) {
      console.log(name);
      for (const count of options) await compare(classify, decide, text, count, rounds);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(
  classify: Pipeline,
  decide: ZeroShotOptions['decide'],
  state: string,
  count: number,
  rounds: number,
): Promise<void> {
  const labels = Array.from({ length: count }, (_, at) => `late delivery ${at}`);
  const criteria = Object.fromEntries(labels.map((label) => [label, null]));
  const questions = { topic: { type: 'choice', instructions: 'This example is', criteria } };
  const { scores } = await classify(state, labels);
  if (scores.length !== count) throw new Error('the pipeline did not score every option');
  await decide({ state, questions });
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await timed(() => classify(state, labels)));
    ours.push(await timed(() => decide({ state, questions })));
  }
  const times = median(theirs.map((ms, round) => ms / ours[round]!));
  const figures = `pipeline ${median(theirs).toFixed(0)}, decide over HTTP ${median(ours).toFixed(0)}`;
  console.log(`  ${String(count).padStart(3)} options: ${figures}; ${times.toFixed(2)} times as fast`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
