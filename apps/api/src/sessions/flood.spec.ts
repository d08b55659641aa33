import { jest } from '@jest/globals';
import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { Caller, QUESTIONS, type Reply } from './testing/caller.js';

jest.setTimeout(600_000);

const FRAMES = 10_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const ledgerOf = async (workspaceId: string) =>
  (await new PostgresCreditStore(service.database.source).entries(workspaceId, { offset: 0, limit: 100_000 })).filter(
    ({ kind }) => kind === 'session_frame',
  );

test(`of ${FRAMES} frames fired without waiting each is answered or skipped exactly once, and the answered ones are billed`, async () => {
  const workspaceId = await service.newWorkspace('unlimited');
  const caller = new Caller(service, await service.newKey(workspaceId));
  const { session_id, usage } = await caller.open({ state: 'A chat.' });
  const stream = await caller.stream(session_id);
  const last = FRAMES - 1;
  const names = Object.keys(QUESTIONS);
  const fire = async () => {
    for (let seq = 0; seq < FRAMES; seq += 1) {
      stream.send({ seq, frame: `message ${seq}`, ...(seq % 3 === 0 && { questions: [names[seq % 2]] }) });
      if (seq % 100 === 0) await new Promise(setImmediate);
    }
  };
  const firing = fire();
  const replies: Reply[] = [];
  do replies.push(await stream.next());
  while (replies.at(-1)?.seq !== last);
  await firing;
  const told = replies.flatMap(({ seq, skipped = [] }) => [...skipped, seq]);
  expect(told).toEqual(Array.from({ length: FRAMES }, (_, seq) => seq));
  expect(replies.length).toBeLessThan(FRAMES);
  expect(replies.filter(({ error }) => error)).toEqual([]);

  const billed = replies.map((reply) => reply.usage?.input_tokens ?? 0);
  expect((await ledgerOf(workspaceId)).map(({ tokens }) => Number(tokens))).toEqual(billed);
  const ended = await caller.ended(session_id);
  const sum = billed.reduce((total, tokens) => total + tokens, 0);
  expect(ended).toMatchObject({ frames: replies.length, usage: { input_tokens: usage.input_tokens + sum } });
});

test('who waits for each reply has every frame answered and none skipped', async () => {
  const caller = new Caller(service, service.key);
  const { session_id } = await caller.open();
  const stream = await caller.stream(session_id);
  for (let seq = 0; seq < 50; seq += 1)
    expect(await stream.ask({ seq, frame: 'x' })).toMatchObject({ seq, skipped: [] });
  expect((await caller.ended(session_id)).frames).toBe(50);
});

test('a frame costs its own tokens and the questions it asks, whatever the session has read', async () => {
  const caller = new Caller(service, service.key);
  const opened = await caller.open({ state: 'a '.repeat(2_000), instructions: 'b' });
  expect(opened.usage.input_tokens).toBeGreaterThan(2_000);
  const stream = await caller.stream(opened.session_id);
  const cost = async (seq: number, questions?: string[]) =>
    (await stream.ask({ seq, frame: 'a b c', questions })).usage?.input_tokens ?? 0;
  const [all, again, urgent, topic] = [
    await cost(1),
    await cost(2),
    await cost(3, ['urgent']),
    await cost(4, ['topic']),
  ];
  expect(again).toBe(all);
  const frame = 5;
  expect(urgent - frame + (topic - frame)).toBe(all - frame);
  stream.socket.close();
});
