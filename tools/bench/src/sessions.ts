import { parseArgs } from 'node:util';
import { Assay, type FrameReply, type SessionStream } from '@assay/client';
import { type Bench, median, quantile } from './bench.js';

const options = {
  'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
  key: { type: 'string' },
  model: { type: 'string', default: 'assay-flash-latest' },
  rounds: { type: 'string', default: '15' },
  sessions: { type: 'string', default: '50' },
  seconds: { type: 'string', default: '5' },
} as const;

const FIXED_TOKENS = [100, 1_000, 4_000, 16_000];
const FRAME_WORDS = 38;
/** Kept by each of the sessions that are counted and weighed. */
const KEPT_WORDS = 1_000;
/** One word piece each in the vocabulary of BERT. */
const WORDS =
  'the order was paid late and card not found today by our new house team with a small plan for all men'.split(' ');

const words = (count: number): string => Array.from({ length: count }, (_, n) => WORDS[n % WORDS.length]).join(' ');
const questions = Object.fromEntries(
  Array.from({ length: 5 }, (_, n) => [`q${n}`, { type: 'truth' as const, instructions: words(10 + n) }]),
);

export const bench: Bench = {
  summary: 'a 40-token frame of a session against decide with the same text, answers a second, memory per session',
  options: {
    '--base-url <url>': 'a running service (default http://127.0.0.1:8080)',
    '--key <key>': 'a key of it; start it with ASSAY_SESSIONS_PER_KEY=60',
    '--model <name>': 'the model (default assay-flash-latest)',
    '--rounds <n>': 'frames and decides, taken in turns (default 15)',
    '--sessions <n>': 'sessions at once (default 50)',
    '--seconds <n>': 'seconds of counting answers (default 5)',
  },
  async run(args) {
    const { values } = parseArgs({ args: [...args], options });
    if (values.key === undefined) throw new Error('--key is needed');
    const assay = new Assay({ baseUrl: values['base-url'], apiKey: values.key });
    console.log('fixed tokens   frame ms   decide ms   decide / frame   (medians of wall time, in turns)');
    for (const tokens of FIXED_TOKENS) await compare(assay, values.model, tokens, Number(values.rounds));
    await count(assay, values.model, 1, Number(values.seconds));
    await weigh(assay, values.model, Number(values.sessions), values['base-url'], Number(values.seconds));
  },
};

/** Sends one frame and waits for its answer. */
class Asker {
  private readonly replies: AsyncIterator<unknown, undefined>;

  constructor(private readonly session: SessionStream) {
    this.replies = session[Symbol.asyncIterator]();
  }

  async ask(): Promise<FrameReply> {
    await this.session.send(words(FRAME_WORDS), { reset: true });
    const { value } = await this.replies.next();
    if (typeof value !== 'object' || value === null || !('answers' in value))
      throw new Error('a frame was not answered');
    return value as FrameReply;
  }
}

const open = (assay: Assay, model: string, state: string) =>
  assay.sessions.open({ model, state, questions, ttl_seconds: 3_600 }, { backPressure: 'every' });

async function compare(assay: Assay, model: string, tokens: number, rounds: number): Promise<void> {
  const state = words(tokens);
  await using session = await open(assay, model, state);
  const asker = new Asker(session);
  await asker.ask();
  const frames: number[] = [];
  const decides: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    frames.push(await timed(() => asker.ask()));
    decides.push(await timed(() => assay.decide({ body: { model, state: [state, words(FRAME_WORDS)], questions } })));
  }
  const [frame, decide] = [median(frames), median(decides)];
  const cell = (value: number, width: number) => value.toFixed(1).padStart(width);
  console.log(`${String(tokens).padStart(12)} ${cell(frame, 10)} ${cell(decide, 11)} ${cell(decide / frame, 16)}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function count(assay: Assay, model: string, sessions: number, seconds: number): Promise<void> {
  const all = await Promise.all(Array.from({ length: sessions }, () => open(assay, model, words(KEPT_WORDS))));
  await answersPerSecond(all, seconds);
  for (const session of all) await session.end();
}

async function answersPerSecond(sessions: readonly SessionStream[], seconds: number): Promise<void> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  const latencies: number[] = [];
  await Promise.all(
    sessions.map(async (session) => {
      const asker = new Asker(session);
      while (performance.now() < end) latencies.push(await timed(() => asker.ask()));
    }),
  );
  // The frames in work at the end are waited for, and count.
  const rate = ((latencies.length * 1_000) / (performance.now() - started)).toFixed(1);
  const p99 = quantile(latencies, 0.99).toFixed(0);
  const on = sessions.length === 1 ? 'one session' : `${sessions.length} sessions at once`;
  console.log(`${rate} answered frames a second on ${on} (median ${median(latencies).toFixed(0)} ms, p99 ${p99} ms)`);
}

async function weigh(assay: Assay, model: string, count: number, baseUrl: string, seconds: number): Promise<void> {
  const before = await residentBytes(baseUrl);
  const sessions: SessionStream[] = [];
  for (let n = 0; n < count; n += 1) sessions.push(await open(assay, model, words(KEPT_WORDS)));
  const after = await residentBytes(baseUrl);
  const each = (after - before) / count / 1024 ** 2;
  console.log(`${each.toFixed(1)} MiB of resident memory for each of ${count} sessions of ${KEPT_WORDS} tokens`);
  await answersPerSecond(sessions, seconds);
  for (const session of sessions) await session.end();
}

async function residentBytes(baseUrl: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', baseUrl))).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}
