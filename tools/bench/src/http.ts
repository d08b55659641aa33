import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Bench, median, quantile } from './bench.js';
import { type Call, load } from './load.js';

const options = {
  'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
  key: { type: 'string' },
  callers: { type: 'string', default: '16' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '5' },
} as const;

/** The floor: what this machine's node:http does with the least work there is, from a thread of its own. */
const BARE = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const body = JSON.stringify({ models: [] });
createServer((request, response) => {
  request.resume();
  request.on('end', () => response.setHeader('content-type', 'application/json').end(body));
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

async function bareServer(): Promise<{ url: URL; close(): Promise<number> }> {
  const worker = new Worker(BARE, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { url: new URL(`http://127.0.0.1:${port}/`), close: () => worker.terminate() };
}

export const bench: Bench = {
  summary: 'GET /v1/models and a decide refused by validation, against a bare node:http server',
  options: {
    '--base-url <url>': 'a running service (default http://127.0.0.1:8080)',
    '--key <key>': 'a key of it; raise ASSAY_REQUESTS_PER_MINUTE there, or 429s are what is measured',
    '--callers <n>': 'connections (default 16)',
    '--seconds <n>': 'seconds a round (default 3)',
    '--rounds <n>': 'rounds, taken in turns (default 5)',
  },
  async run(args) {
    const { values } = parseArgs({ args: [...args], options });
    if (values.key === undefined) throw new Error('--key is needed');
    const bare = await bareServer();
    const authorization = `Bearer ${values.key}`;
    const calls: Record<string, Call> = {
      'bare node:http': { method: 'GET', url: bare.url, headers: {} },
      'GET /v1/models': { method: 'GET', url: new URL('/v1/models', values['base-url']), headers: { authorization } },
      'refused decide': {
        method: 'POST',
        url: new URL('/v1/decide', values['base-url']),
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'assay-latest', state: 'x', questions: { a: { type: 'choice', critera: {} } } }),
      },
    };
    const rates = new Map<string, number[]>();
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const [name, call] of Object.entries(calls)) {
        const result = await load(call, Number(values.callers), Number(values.seconds));
        rates.set(name, [...(rates.get(name) ?? []), result.perSecond]);
        const statuses = [...result.statuses].map(([status, n]) => `${status}×${n}`).join(' ');
        const p99 = quantile(result.latencies, 0.99).toFixed(1);
        console.log(`${name.padEnd(16)} ${result.perSecond.toFixed(0).padStart(7)}/s  p99 ${p99} ms  ${statuses}`);
      }
    }
    await bare.close();
    const floor = median(rates.get('bare node:http')!);
    console.log('\nmedians, and the share of the bare server’s speed');
    for (const [name, each] of rates)
      console.log(`${name.padEnd(16)} ${median(each).toFixed(0).padStart(7)}/s  ${(median(each) / floor).toFixed(3)}`);
  },
};
