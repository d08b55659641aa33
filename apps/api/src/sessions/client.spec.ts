import { jest } from '@jest/globals';
import {
  Assay,
  ConflictError,
  type FrameReply,
  GoneError,
  NotFoundError,
  RateLimitError,
  type RefusedFrame,
  SessionEndedError,
} from '../../../../packages/client/src/index.js';
import { openSocket } from '../../../../packages/client/src/sessions/open-socket.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { QUESTIONS } from './testing/caller.js';

jest.setTimeout(120_000);

/** The client package against the real service. */
let service: TestService;
let assay: Assay;
beforeAll(async () => {
  service = await startTestService({ ASSAY_SESSIONS_PER_KEY: '2' });
  assay = new Assay({ baseUrl: service.url, apiKey: service.key, maxRetries: 0 });
});
afterAll(() => service.close());

const request = { model: 'tiny-latest', questions: QUESTIONS as never, state: 'A chat.' };

async function all(replies: AsyncIterable<FrameReply | RefusedFrame>) {
  const given: (FrameReply | RefusedFrame)[] = [];
  for await (const reply of replies) given.push(reply);
  return given;
}

test('every: each frame is answered in its turn, and the end says what it came to', async () => {
  const session = await assay.sessions.open(request, { backPressure: 'every' });
  const reading = all(session);
  const seqs = await Promise.all(Array.from({ length: 20 }, (_, n) => session.send(`frame ${n}`)));
  expect(seqs).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  // The last frame has had its turn, not yet its reply.
  await session.send({ text: 'last' }, { questions: ['urgent'], reset: true, seq: 100 });
  await session.send('more');
  const ended = await session.end();
  const replies = (await reading) as FrameReply[];
  expect(replies.slice(0, 20).map(({ seq, skipped }) => [seq, skipped])).toEqual(seqs.map((seq) => [seq, []]));
  expect(replies[20]).toMatchObject({ seq: 100, answers: { urgent: { type: 'truth' } } });
  expect(ended.frames).toBe(replies.length);
});

test('latest: what was passed over is told', async () => {
  const session = await assay.sessions.open(request);
  for (let n = 0; n < 200; n += 1) void session.send(`frame ${n}`);
  const told: number[] = [];
  let answered = 0;
  for await (const reply of session as AsyncIterable<FrameReply>) {
    answered += 1;
    told.push(...reply.skipped, reply.seq);
    if (reply.seq === 200) break;
  }
  expect(told).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  expect(answered).toBeLessThan(200);
  expect((await session.end()).frames).toBe(answered);
});

test('a frame that is not answered is told with its error, and the session goes on', async () => {
  await using session = await assay.sessions.open(request, { backPressure: 'every' });
  const replies = session[Symbol.asyncIterator]();
  await session.send('a '.repeat(5_000));
  const { value: refused } = await replies.next();
  expect(refused).toMatchObject({
    seq: 1,
    error: { status: 400, errorType: 'api_usage_error', name: 'BadRequestError' },
  });
  await session.send('short');
  expect((await replies.next()).value).toMatchObject({ seq: 2, answers: expect.anything() });
});

test('an end that nobody here asked for is thrown, and joining again is refused with the reason', async () => {
  const session = await assay.sessions.open(request);
  await session.send('x');
  const replies = session[Symbol.asyncIterator]();
  await replies.next();
  await assay.endSession({ path: { id: session.id } });
  const failure = await replies.next().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SessionEndedError);
  expect(failure).toMatchObject({ code: 4000, message: expect.stringContaining('cannot be reconnected') });
  await expect(session.send('late')).rejects.toThrow('open another one with sessions.open()');
  expect((await replies.next()).done).toBe(true);
  await expect(openSocket(session.session.stream_url, service.key)).rejects.toThrow(GoneError);
});

test('a refused socket has the error of any call', async () => {
  await using session = await assay.sessions.open(request);
  await expect(openSocket(session.session.stream_url, service.key)).rejects.toThrow(ConflictError);
  await expect(openSocket(session.session.stream_url, service.otherKey)).rejects.toThrow(NotFoundError);
});

test('one session too many is a rate limit', async () => {
  await using _first = await assay.sessions.open(request);
  await using _second = await assay.sessions.open(request);
  await expect(assay.sessions.open(request)).rejects.toThrow(RateLimitError);
});
