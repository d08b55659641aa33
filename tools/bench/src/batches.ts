import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Assay, type Batch, type BatchRequest } from '@assay/client';
import { type Engine, Models } from '@assay/inference';
import { type Bench, median, quantile } from './bench.js';

const options = {
  'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
  key: { type: 'string' },
  models: { type: 'string', default: 'packages/models' },
  model: { type: 'string', default: 'assay-latest' },
  lines: { type: 'string', default: '500' },
  rounds: { type: 'string', default: '3' },
  threads: { type: 'string' },
} as const;

const MIB = 1024 ** 2;
const UPLOAD = { lines: 10_000, bytes: 255_000_000 };
const LOOK_MS = 50;
const LIVE_MS = 10_000;
const CALLERS = 8;

interface Service {
  readonly url: string;
  readonly key: string;
  readonly assay: Assay;
  readonly model: string;
}

const body = (model: string, at: number) => ({
  model,
  state: `Message ${at}: where is my parcel? I ordered it ${at % 30} days ago, and nobody answers the telephone.`,
  questions: {
    urgent: { type: 'truth' as const, instructions: 'Does this need an answer today?' },
    topic: { type: 'choice' as const, criteria: { delivery: null, payment: null, praise: null } },
  },
});

const requests = (model: string, count: number): BatchRequest[] =>
  Array.from({ length: count }, (_, at) => ({ custom_id: `line-${at}`, body: body(model, at) }));

async function post(service: Service, path: string, text?: string | ReadableStream<Uint8Array>): Promise<Batch> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
    ...(text === undefined ? {} : { body: text, duplex: 'half' }),
  } as RequestInit);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Batch;
}

/** Creates a batch and gives a function that finalizes it: only what comes after that is the service's running of it. */
async function uploaded(service: Service, lines: readonly BatchRequest[]): Promise<string> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return (await post(service, '/v1/batches', text)).id;
}

async function batchSpeed(service: Service, lines: readonly BatchRequest[]): Promise<number> {
  const id = await uploaded(service, lines);
  const started = performance.now();
  await post(service, `/v1/batches/${id}/finalize`);
  const ended = await service.assay.batches.wait(id, { firstPoll: LOOK_MS, slowestPoll: LOOK_MS });
  if (ended.counters.completed !== lines.length)
    throw new Error(`only ${ended.counters.completed} lines were answered`);
  return (1_000 * lines.length) / (performance.now() - started);
}

async function engineSpeed(engine: Engine, lines: readonly BatchRequest[]): Promise<number> {
  const waiting = [...lines];
  const started = performance.now();
  const caller = async () => {
    for (let line = waiting.shift(); line; line = waiting.shift()) {
      const { state, questions } = line.body as ReturnType<typeof body>;
      await engine.answer(engine.prepare({ state, questions }), { priority: 'batch' });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (1_000 * lines.length) / (performance.now() - started);
}

async function speeds(service: Service, values: Values): Promise<void> {
  const models = await Models.open({
    roots: [values.models],
    ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  });
  const engine = models.resolve(service.model);
  const lines = requests(service.model, Number(values.lines));
  const shares: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const bare = await engineSpeed(engine, lines);
    const batch = await batchSpeed(service, lines);
    shares.push(batch / bare);
    console.log(`${lines.length} lines: engine ${bare.toFixed(1)}/s, batch ${batch.toFixed(1)}/s`);
  }
  await models.close();
  console.log(`share of the engine’s speed, median: ${median(shares).toFixed(3)}\n`);
}

/** The lines of a large upload, made while they are sent. */
function* uploadChunks(model: string): Generator<Buffer> {
  const empty = JSON.stringify({ custom_id: 'line-00000', body: { ...body(model, 0), state: '' } });
  const filler = 'word '
    .repeat(Math.ceil(UPLOAD.bytes / UPLOAD.lines / 5))
    .slice(0, UPLOAD.bytes / UPLOAD.lines - empty.length - 1);
  for (let at = 0; at < UPLOAD.lines; at += 1) {
    const id = `line-${String(at).padStart(5, '0')}`;
    yield Buffer.from(`${empty.replace('line-00000', id).replace('"state":""', `"state":"${filler}"`)}\n`);
  }
}

async function diskSeconds(model: string): Promise<number> {
  const path = join(tmpdir(), `assay-bench-${randomUUID()}`);
  const file = await open(path, 'wx');
  const started = performance.now();
  for (const chunk of uploadChunks(model)) await file.write(chunk);
  await file.sync();
  const seconds = (performance.now() - started) / 1_000;
  await file.close();
  await rm(path);
  return seconds;
}

async function residentBytes(service: Service): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

/** The most memory that is seen while the work goes on, above what was there before. */
async function peakAbove(service: Service, work: () => Promise<unknown>): Promise<number> {
  const idle = await residentBytes(service);
  let peak = idle;
  let over = false;
  const watching = (async () => {
    while (!over) {
      peak = Math.max(peak, await residentBytes(service));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  await work().finally(() => {
    over = true;
  });
  await watching;
  return peak - idle;
}

async function upload(service: Service): Promise<void> {
  const disk = await diskSeconds(service.model);
  let seconds = 0;
  const above = await peakAbove(service, async () => {
    const chunks = uploadChunks(service.model);
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
    });
    const started = performance.now();
    const draft = await post(service, '/v1/batches', stream);
    seconds = (performance.now() - started) / 1_000;
    await post(service, `/v1/batches/${draft.id}/cancel`);
  });
  const size = `${(UPLOAD.bytes / 1e6).toFixed(0)} MB in ${UPLOAD.lines} lines`;
  console.log(`${size}: upload ${seconds.toFixed(1)} s, the same bytes to disk ${disk.toFixed(1)} s`);
  console.log(`peak memory above idle: ${(above / MIB).toFixed(0)} MiB\n`);
}

async function liveP99(service: Service): Promise<number> {
  const latencies: number[] = [];
  const end = performance.now() + LIVE_MS;
  for (let at = 0; performance.now() < end; at += 1) {
    const sent = performance.now();
    await service.assay.decide({ body: body(service.model, at) });
    latencies.push(performance.now() - sent);
  }
  return quantile(latencies, 0.99);
}

async function besideLive(service: Service, values: Values): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const alone = await liveP99(service);
    const id = await uploaded(service, requests(service.model, 10_000));
    await post(service, `/v1/batches/${id}/finalize`);
    const beside = await liveP99(service);
    const { counters } = await post(service, `/v1/batches/${id}/cancel`);
    ratios.push(beside / alone);
    console.log(
      `live p99: alone ${alone.toFixed(1)} ms, beside a batch ${beside.toFixed(1)} ms (${counters.completed} lines meanwhile)`,
    );
  }
  console.log(`live p99 beside a batch against alone, median: ${median(ratios).toFixed(2)} times`);
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export const bench: Bench = {
  summary: 'batches: speed against the bare engine, a large upload against the disk, and what live calls notice',
  options: {
    '--base-url <url>': 'a running service with nothing else to do (default http://127.0.0.1:8080)',
    '--key <key>': 'a key of it; raise ASSAY_REQUESTS_PER_MINUTE there',
    '--models <folder>': 'the same bundles, for the bare engine (default packages/models)',
    '--model <name>': 'the model to ask (default assay-latest)',
    '--lines <n>': 'lines a batch (default 500)',
    '--rounds <n>': 'rounds, taken in turns (default 3)',
    '--threads <n>': 'threads of the bare engine, as ASSAY_THREADS of the service',
  },
  async run(args) {
    const { values } = parseArgs({ args: [...args], options });
    if (values.key === undefined) throw new Error('--key is needed');
    const url = values['base-url'].replace(/\/$/, '');
    const service = {
      url,
      key: values.key,
      model: values.model,
      assay: new Assay({ baseUrl: url, apiKey: values.key }),
    };
    await speeds(service, values);
    await upload(service);
    await besideLive(service, values);
  },
};
