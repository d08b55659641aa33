import type { Models } from '@assay/inference';
import { jest } from '@jest/globals';
import { startTestService, type TestService } from '../walks/test-service.js';
import { answersIn, Caller, QUESTIONS } from './testing/caller.js';
import { type SeededSession, seededSession } from './testing/seeded.js';

jest.setTimeout(1_800_000);

const SESSIONS = Number(process.env['SEEDED_SESSIONS'] ?? 60);
const FIRST_SEED = 1;
const EVICT_EVERY = 3;

let service: TestService;
let caller: Caller;
let unchecked: TestService;
beforeAll(async () => {
  service = await startTestService();
  caller = new Caller(service, service.key);
  // Without the safety check, which is the same for both ways and has its own test below.
  unchecked = await startTestService({ ASSAY_SAFETY: 'off' }, service);
});
afterAll(async () => {
  await unchecked.close();
  await service.close();
});

/** Takes the whole budget for a moment: every context that rests is evicted. */
function evictAll({ memory }: Models): void {
  const greedy = { resting: false, evict: () => undefined };
  memory.take(greedy, memory.limit);
  memory.release(greedy);
}

/** What decide is asked in place of each frame: the state's elements and the frames in the window, oldest first. */
function equivalents({ fixed, window, frames }: SeededSession): Record<string, unknown>[] {
  const { state, questions, ...rest } = fixed;
  const before = state === undefined ? [] : Array.isArray(state) ? state : [state];
  let recent: unknown[] = [];
  return frames.map(({ frame, questions: names, reset }) => {
    recent = [...(reset ? [] : recent), frame].slice(-window);
    const asked = Object.entries(questions).filter(([name]) => !names || names.includes(name));
    return { ...rest, state: [...before, ...recent], questions: Object.fromEntries(asked) };
  });
}

test(`${SESSIONS} seeded sessions are answered as decide answers, to the byte, evicted or not`, async () => {
  const quick = new Caller(unchecked, service.key);
  let frames = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SESSIONS; seed += 1) {
    const session = seededSession(seed);
    const { session_id } = await quick.open({ ...session.fixed, window: session.window });
    const stream = await quick.stream(session_id);
    for (const [seq, equivalent] of equivalents(session).entries()) {
      if ((seed + seq) % EVICT_EVERY === 0) evictAll(unchecked.models);
      const reply = await stream.askText({ seq, ...session.frames[seq] });
      expect({ seed, seq, answers: answersIn(reply) }).toEqual({ seed, seq, answers: await quick.decide(equivalent) });
      frames += 1;
    }
    stream.socket.close();
    await stream.closed;
  }
  expect(frames).toBeGreaterThan(SESSIONS * 3);
});

test('after the engine was started again a session goes on as before', async () => {
  const { session_id } = await caller.open({ state: 'a long history '.repeat(60) });
  const stream = await caller.stream(session_id);
  await stream.ask({ seq: 1, frame: 'one' });
  await service.models.restart();
  const reply = await stream.askText({ seq: 2, frame: 'two' });
  expect(answersIn(reply)).toBe(await caller.decide({ state: ['a long history '.repeat(60), 'one', 'two'] }));
  stream.socket.close();
});

test('a frame that is refused was never in the window', async () => {
  const { session_id } = await caller.open({ window: 2, state: 'x' });
  const stream = await caller.stream(session_id);
  await stream.ask({ seq: 1, frame: 'one' });
  await stream.ask({ seq: 2, frame: 'two' });
  const long = await stream.ask({ seq: 3, frame: 'a '.repeat(5_000), reset: true });
  expect(long.error?.status).toBe(400);
  const unreadable = await stream.ask({ seq: 4, frame: { image: { data: 'bm8gcGljdHVyZQ==' } }, reset: true });
  expect(unreadable.error?.status).toBe(400);
  expect(answersIn(await stream.askText({ seq: 5, frame: 'three' }))).toBe(
    await caller.decide({ state: ['x', 'two', 'three'] }),
  );
  stream.socket.close();
});

test('safety is what decide says of the same state', async () => {
  const state = 'Where is my parcel? '.repeat(80);
  const { session_id } = await caller.open({ state });
  const stream = await caller.stream(session_id);
  const { safety } = await stream.ask({ seq: 1, frame: 'How do I hurt somebody? '.repeat(40) });
  const live = await caller.post('/v1/decide', {
    model: 'tiny-latest',
    state: [state, 'How do I hurt somebody? '.repeat(40)],
    questions: QUESTIONS,
  });
  const shown = Object.entries(safety ?? {}).map(([category, p]) => `${category}=${p.toFixed(2)}`);
  expect(shown.join(', ')).toBe(live.headers.get('x-service-safety'));
  stream.socket.close();
});
