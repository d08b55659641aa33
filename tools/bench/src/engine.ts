import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Engine, Models, type Question } from '@assay/inference';
import { type Bench, median } from './bench.js';
import { CrossEncoder } from './cross-encoder.js';

const MODELS = fileURLToPath(new URL('../../../packages/models', import.meta.url));
/** One word piece each in the vocabulary of BERT. */
const WORDS =
  'the order was paid late and card not found today by our new house team with a small plan for all men'.split(' ');
const LIVE = { priority: 'live' } as const;
const STATEMENT = 20;

interface Case {
  readonly name: string;
  readonly wanted: string;
  readonly engine: () => Promise<unknown>;
  readonly plain: () => Promise<unknown>;
}

export const bench: Bench = {
  summary: 'the engine against a plain cross-encoder of the same weights, and against the bare read graph',
  options: {
    '--model <id>': 'a bundle in packages/models (default assay-flash-1.0)',
    '--models <folder>': 'where bundles lie (default packages/models)',
    '--threads <n>': 'threads of both sides (default 1)',
    '--rounds <n>': 'rounds, taken in turns (default 5)',
  },
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        model: { type: 'string', default: 'assay-flash-1.0' },
        models: { type: 'string', default: MODELS },
        threads: { type: 'string', default: '1' },
        rounds: { type: 'string', default: '5' },
      },
    });
    const threads = Number(values.threads);
    const models = await Models.open({ roots: [values.models], threads });
    const engine = models.resolve(values.model);
    const plain = await CrossEncoder.open(await readGraph(values.models, engine.model.id), threads);
    console.log(
      `${engine.model.id}, ${threads} thread(s), ${values.rounds} rounds; CPU ms, the least of the rounds, and wall ms, their median\n`,
    );
    for (const one of cases(engine, plain)) report(one, await measure(one, Number(values.rounds)));
    await models.close();
  },
};

function cases(engine: Engine, plain: CrossEncoder): Case[] {
  const short = engine.prepare({ state: words(56), questions: choices(5, 4) });
  const long = engine.prepare({ state: words(1984), questions: truths(10) });
  const context = engine.createContext({ state: words(1984) });
  const asked = engine.prepareQuestions(choices(5, 4));
  const block = engine.prepare({ state: words(254 * 8), questions: truths(1) });
  return [
    {
      name: '60 tokens, 5 questions of 4 options',
      wanted: 'at least 3',
      engine: () => engine.answer(short, LIVE),
      plain: () => plain.run(20, 60 + STATEMENT),
    },
    {
      name: '2,000 tokens, 10 truths',
      wanted: 'at least 10',
      engine: () => engine.answer(long, LIVE),
      plain: () => plain.runInChunks(10, 2000, STATEMENT),
    },
    {
      name: 'a 40-token frame on 2,000 kept, 5 questions of 4 options',
      wanted: 'at least 20',
      engine: async () => {
        context.drop(context.frames);
        context.extend(engine.prepareFrame(words(38)));
        await context.ask(asked, LIVE);
      },
      plain: () => plain.runInChunks(20, 2040, STATEMENT),
    },
    {
      name: 'reading 2,048 tokens, against the bare graph at its best shape (ratio under 1: the engine costs more)',
      wanted: 'at least 0.77',
      engine: async () => (await engine.answer(block, LIVE)).timings.read,
      plain: () => plain.runBlocks(8, 256),
    },
  ];
}

interface Measured {
  readonly engine: { readonly cpu: number; readonly wall: number };
  readonly plain: { readonly cpu: number; readonly wall: number };
}

/** In turns, so that whatever else the machine does meets both. */
async function measure(one: Case, rounds: number): Promise<Measured> {
  await one.engine();
  const runs = { engine: [] as { cpu: number; wall: number }[], plain: [] as { cpu: number; wall: number }[] };
  for (let round = 0; round < rounds; round += 1) {
    runs.engine.push(await timed(one.engine));
    runs.plain.push(await timed(one.plain));
  }
  const best = (side: readonly { cpu: number; wall: number }[]) => ({
    cpu: Math.min(...side.map(({ cpu }) => cpu)),
    wall: median(side.map(({ wall }) => wall)),
  });
  return { engine: best(runs.engine), plain: best(runs.plain) };
}

async function timed(work: () => Promise<unknown>): Promise<{ cpu: number; wall: number }> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / 1000, wall };
}

function report({ name, wanted }: Case, { engine, plain }: Measured): void {
  const side = (label: string, { cpu, wall }: Measured['engine']) =>
    `${label} ${cpu.toFixed(0)} cpu, ${wall.toFixed(0)} wall`;
  console.log(`${name}\n  ${side('engine', engine)}; ${side('plain', plain)}`);
  console.log(
    `  ratio ${(plain.cpu / engine.cpu).toFixed(2)} by CPU, ${(plain.wall / engine.wall).toFixed(2)} by wall; wanted ${wanted}\n`,
  );
}

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length]!).join(' ');
}

/** Statements of about 20 tokens. */
function choices(count: number, options: number): { [name: string]: Question } {
  const criteria = Object.fromEntries(Array.from({ length: options }, (_, index) => [WORDS[index]!, words(3)]));
  const one: Question = { type: 'choice', instructions: words(11), criteria };
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, one]));
}

function truths(count: number): { [name: string]: Question } {
  const one: Question = { type: 'truth', instructions: words(16) };
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, one]));
}

async function readGraph(root: string, id: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, id, 'manifest.json'), 'utf8')) as { graphs: { read: string } };
  return join(root, id, manifest.graphs.read);
}
