import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, median } from './bench.js';
import { type Answered, askAll } from './decide-callers.js';
import { RawEngine } from './decide-engine.js';
import { mixed } from './decide-requests.js';
import { zeroShot } from './decide-zero-shot.js';
import { send } from './load.js';

const options = {
  'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
  key: { type: 'string' },
  models: { type: 'string', default: fileURLToPath(new URL('../../../packages/models', import.meta.url)) },
  model: { type: 'string', default: 'assay-flash-1.0' },
  threads: { type: 'string' },
  callers: { type: 'string', default: '1,8,64' },
  requests: { type: 'string', default: '128' },
  rounds: { type: 'string', default: '5' },
  'zero-shot': { type: 'boolean', default: false },
  options: { type: 'string', default: '2,4,10,50' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const numbers = (list: string): number[] => list.split(',').map(Number);

/** Decides through the service; anything but an answer ends the bench, for it would be fast. */
function asker(values: Values): { decide(body: object): Promise<void>; close(): void } {
  const agent = new Agent({ keepAlive: true });
  const url = new URL('/v1/decide', values['base-url']);
  const headers = { authorization: `Bearer ${values.key}`, 'content-type': 'application/json' };
  return {
    decide: async (body) => {
      const text = JSON.stringify({ model: values.model, ...body });
      const status = await send({ method: 'POST', url, headers, body: text }, agent);
      if (status !== 200) throw new Error(`the service answered ${status}`);
    },
    close: () => agent.destroy(),
  };
}

async function againstEngine(values: Values, decide: (body: object) => Promise<void>): Promise<void> {
  const count = Number(values.requests);
  const threads = values.threads === undefined ? undefined : Number(values.threads);
  const engine = await RawEngine.open({ models: values.models, model: values.model, threads, requests: count });
  const requests = mixed(count);
  await engine.run(8);
  await askAll(requests, 8, decide);
  console.log(`${count} mixed requests a round, ${values.rounds} rounds in turns; p50 and p99 in ms\n`);
  for (const callers of numbers(values.callers)) {
    const rounds: { engine: Answered; http: Answered }[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1)
      rounds.push({ engine: await engine.run(callers), http: await askAll(requests, callers, decide) });
    report(`${callers} caller(s)`, rounds);
  }
  engine.close();
}

function report(name: string, rounds: readonly { engine: Answered; http: Answered }[]): void {
  const of = (side: 'engine' | 'http', figure: keyof Answered) => median(rounds.map((round) => round[side][figure]));
  const ratio = (figure: keyof Answered) =>
    median(rounds.map(({ engine, http }) => http[figure] / engine[figure])).toFixed(2);
  const line = (side: 'engine' | 'http') =>
    `${of(side, 'perSecond').toFixed(1).padStart(7)}/s  p50 ${of(side, 'p50').toFixed(0)}  p99 ${of(side, 'p99').toFixed(0)}`;
  console.log(`${name}\n  engine ${line('engine')}\n  HTTP   ${line('http')}`);
  console.log(
    `  share of the engine’s speed ${ratio('perSecond')}; p50 ${ratio('p50')} times, p99 ${ratio('p99')} times\n`,
  );
}

export const bench: Bench = {
  summary: 'decide over HTTP against the bare engine, and against the zero-shot pipeline of @huggingface/transformers',
  options: {
    '--base-url <url>': 'a running service with nothing else to do (default http://127.0.0.1:8080)',
    '--key <key>': 'a key of it; raise ASSAY_REQUESTS_PER_MINUTE there. Its safety check is part of what is measured',
    '--models <folder>': 'the same bundles, for the bare engine (default packages/models)',
    '--model <id>': 'the model to ask (default assay-flash-1.0)',
    '--threads <n>': 'threads of the other side, as ASSAY_THREADS of the service',
    '--callers <list>': 'callers at once (default 1,8,64)',
    '--requests <n>': 'requests a round, one and the same for both sides (default 128)',
    '--rounds <n>': 'rounds, taken in turns; ratios are medians of rounds (default 5)',
    '--zero-shot': 'measure against the pipeline instead; installs it once (480 MB) into tools/bench/zero-shot',
    '--options <list>': 'options of the choice that both are asked there (default 2,4,10,50)',
  },
  async run(args) {
    const { values } = parseArgs({ args: [...args], options });
    if (values.key === undefined) throw new Error('--key is needed');
    const { decide, close } = asker(values);
    const bundle = { models: values.models, model: values.model };
    const threads = values.threads === undefined ? undefined : Number(values.threads);
    if (values['zero-shot'])
      await zeroShot({ ...bundle, threads, options: numbers(values.options), rounds: Number(values.rounds), decide });
    else await againstEngine(values, decide);
    close();
  },
};
