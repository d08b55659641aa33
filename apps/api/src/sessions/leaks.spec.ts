import { jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { startTestService, type TestService } from '../walks/test-service.js';
import { SessionKeeper } from './session-keeper.js';
import { STREAM_LIMITS, STREAM_LIMITS_TOKEN, type StreamLimits } from './session-limits.js';
import { Caller, type Reply, type Stream } from './testing/caller.js';

jest.setTimeout(1_800_000);

const SESSIONS = Number(process.env['DROPPED_SESSIONS'] ?? 120);

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startTestService();
  caller = new Caller(service, service.key);
  allow({ unreadBytes: 20_000, untoldFrames: 20, closeMs: 500 });
});
afterAll(() => service.close());

/** For the sockets from now on. */
const allow = (limits: Partial<StreamLimits>) => Object.assign(service.app.get(STREAM_LIMITS_TOKEN), limits);

const reasonOf = async (id: string): Promise<string | null | undefined> => {
  const rows = await service.database.source.query<{ reason: string | null }[]>(
    'SELECT reason FROM sessions WHERE id = $1',
    [id],
  );
  return rows[0]?.reason;
};
const ended = async (id: string) => {
  for (;;) {
    const reason = await reasonOf(id);
    if (reason !== null) return reason;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** A frame whose refusal is far longer than the frame. */
const CHATTY = JSON.stringify({ seq: 1, ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x${n}`, 0])) });

async function flood({ socket }: Stream): Promise<void> {
  socket.pause();
  while (socket.readyState === socket.OPEN && socket.bufferedAmount < 50_000_000) {
    for (let n = 0; n < 200; n += 1) socket.send(CHATTY, () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { sessions } = service.app.get(SessionKeeper);
    if (sessions.size === 0) return;
  }
}

test('a client that does not read its replies is closed with 4008, and what it did not read is bounded', async () => {
  const { session_id } = await caller.open();
  const stream = await caller.stream(session_id);
  const before = process.memoryUsage.rss();
  await flood(stream);
  expect(await ended(session_id)).toBe('client_too_slow');
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  stream.socket.terminate();
});

test('a peer that answers no ping is gone', async () => {
  allow({ pingMs: 150 });
  const { session_id, stream_url } = await caller.open();
  const silent = new WebSocket(stream_url, { autoPong: false, headers: { authorization: `Bearer ${caller.key}` } });
  const code = await new Promise((resolve) => silent.once('close', resolve));
  expect(code).toBe(1006);
  allow({ pingMs: STREAM_LIMITS.pingMs });
  expect(await ended(session_id)).toBe('client_closed');
});

test('whoever sends too fast is not read for a while, and still loses nothing', async () => {
  const { session_id } = await caller.open();
  const stream = await caller.stream(session_id);
  for (let seq = 0; seq < 2_000; seq += 1) stream.send({ seq, frame: 'x' });
  const told: number[] = [];
  while (told.at(-1) !== 1_999) {
    const { seq, skipped = [] }: Reply = await stream.next();
    expect(skipped.length).toBeLessThan(2_000);
    told.push(...skipped, seq);
  }
  expect(told).toEqual(Array.from({ length: 2_000 }, (_, seq) => seq));
  stream.socket.close();
  await stream.closed;
});

const WAYS: ((stream: Stream, id: string) => unknown)[] = [
  ({ socket }) => socket.close(),
  ({ socket }) => socket.terminate(),
  (_, id) => caller.end(id),
  (stream) => stream.send('garbage'),
  (stream) => {
    for (let seq = 10; seq < 30; seq += 1) stream.send({ seq, frame: 'in work when it goes' });
    stream.socket.terminate();
  },
  (stream, id) => {
    stream.send({ seq: 10, frame: 'in work when it is ended' });
    return caller.end(id);
  },
];

test(`${SESSIONS} sessions opened, streamed and dropped in every way: nothing of them is left`, async () => {
  const { sessions } = service.app.get(SessionKeeper);
  const handles = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
  const drop = async (n: number) => {
    const { session_id } = await caller.open({ state: 'a '.repeat(100) });
    const way = WAYS[n % (WAYS.length + 1)];
    if (!way) return void (await caller.end(session_id));
    const stream = await caller.stream(session_id);
    await stream.ask({ seq: 1, frame: 'x' });
    await way(stream, session_id);
    await stream.closed;
    await ended(session_id);
  };
  for (let n = 0; n < 2 * WAYS.length; n += 1) await drop(n);
  const quiet = async () => {
    while (sessions.size > 0 || service.models.memory.bytes > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 600));
    return { handles: handles(), rss: process.memoryUsage.rss() };
  };
  const before = await quiet();
  for (let n = 0; n < SESSIONS; n += 1) await drop(n);
  const after = await quiet();
  expect(sessions.size).toBe(0);
  expect(service.models.memory.bytes).toBe(0);
  expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
  expect(after.rss - before.rss).toBeLessThan(100_000_000);
  const [open] = await service.database.source.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM sessions WHERE ended_at IS NULL',
  );
  expect(open?.n).toBe(0);
});
