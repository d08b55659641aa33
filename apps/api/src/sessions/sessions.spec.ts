import { startTestService, type TestService } from '../walks/test-service.js';
import { answersIn, Caller, QUESTIONS } from './testing/caller.js';

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startTestService();
  caller = new Caller(service, service.key);
});
afterAll(() => service.close());

const FIXED = { instructions: 'You watch a support chat.', state: { customer: 'Ada', order: 17 } };

test('opening tells where the stream is, what holds for it and what it cost', async () => {
  const response = await caller.post('/v1/sessions', { model: 'tiny-latest', questions: QUESTIONS, ...FIXED });
  const body = await response.json();
  expect([response.status, body]).toEqual([
    201,
    {
      session_id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
      stream_url: `${service.url.replace('http', 'ws')}/v1/sessions/${(body as { session_id: string }).session_id}/stream`,
      model: 'tiny-1.0',
      window: 8,
      expires_at: expect.stringMatching(/Z$/),
      limits: { frame_tokens: 4096, images_per_frame: 1 },
      usage: { input_tokens: expect.any(Number), output_tokens: 0 },
    },
  ]);
  expect(response.headers.get('x-service-model')).toBe('tiny-1.0');
  expect(response.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  const left = Date.parse((body as { expires_at: string }).expires_at) - Date.now();
  expect(left).toBeGreaterThan(290_000);
  expect(left).toBeLessThanOrEqual(300_000);
});

test('a frame is answered as decide answers the state with it at its end', async () => {
  const { session_id } = await caller.open(FIXED);
  const stream = await caller.stream(session_id);
  const first = await stream.askText({ seq: 1, frame: 'Where is my parcel?' });
  expect(answersIn(first)).toBe(await caller.decide({ ...FIXED, state: [FIXED.state, 'Where is my parcel?'] }));
  const second = await stream.askText({ seq: 2, frame: { text: 'Now!' }, questions: ['urgent'] });
  const state = [FIXED.state, 'Where is my parcel?', { text: 'Now!' }];
  expect(answersIn(second)).toBe(await caller.decide({ ...FIXED, state, questions: { urgent: QUESTIONS.urgent } }));
  expect(JSON.parse(second)).toEqual({
    seq: 2,
    answers: { urgent: { type: 'truth', truth: expect.any(Number) } },
    latency_ms: expect.any(Number),
    safety: { harm: expect.any(Number), self_harm: expect.any(Number) },
    skipped: [],
    usage: { input_tokens: expect.any(Number), output_tokens: 0 },
  });
  stream.socket.close(1000);
  expect((await stream.closed).code).toBe(1000);
});
