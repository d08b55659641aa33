import { check } from '../check.js';
import { claim, list, names, number, object, probability, same, shown } from '../claims.js';
import type { JsonObject } from '../wire/reply.js';
import { ALL_TYPES, STATE, TRUTH } from './samples.js';
import { asked, connected, endCall, idOf, opened, withStream } from './session-calls.js';

const STREAM = 'WS /v1/sessions/{id}/stream (stream frames)';
const CONTRACT = 'contract: Sessions';
const FRAMES = ['Where is it?', { speaker: 'customer', text: 'I am waiting!' }, 'Now!', 'Thank you.'];

const tokensOf = (reply: JsonObject): number => number(object(reply['usage'], 'usage')['input_tokens'], 'input_tokens');

export const sessionStream = [
  check(CONTRACT, 'Reply: `{"seq", "answers", "latency_ms", "safety", "skipped": [seq…], "usage"}`', async (probe) => {
    await withStream(probe, { questions: ALL_TYPES }, async (stream) => {
      const reply = await asked(stream, { seq: 7, frame: 'Where is it?' });
      const fields = ['seq', 'answers', 'latency_ms', 'skipped', 'usage'];
      names(reply, 'safety' in reply ? [...fields, 'safety'] : fields, 'the reply');
      same([reply['seq'], reply['skipped']], [7, []], 'seq and skipped');
      names(object(reply['answers'], 'answers'), Object.keys(ALL_TYPES), 'answers');
      claim(number(reply['latency_ms'], 'latency_ms') >= 0, `latency_ms is ${shown(reply['latency_ms'])}`);
      for (const [category, p] of Object.entries(object(reply['safety'] ?? {}, 'safety'))) probability(p, 2, category);
    });
  }),

  check(
    CONTRACT,
    'The answer to a frame equals, to the byte, the answer of `POST /v1/decide` with, as `state`, the array of the session’s state followed by the frames now in the window, oldest first.',
    async (probe) => {
      await withStream(
        probe,
        { questions: ALL_TYPES, window: 2, instructions: 'You watch a chat.' },
        async (stream) => {
          for (const [index, frame] of FRAMES.entries()) {
            const reply = await asked(stream, { seq: index, frame });
            const state = [STATE, ...FRAMES.slice(Math.max(0, index - 1), index + 1)];
            const live = await probe.answers({ instructions: 'You watch a chat.', state, questions: ALL_TYPES });
            same(reply['answers'], live, `the answers to frame ${index}`);
          }
        },
      );
    },
  ),

  check(STREAM, '`questions`: question names to answer; all when left out', async (probe) => {
    await withStream(probe, { questions: ALL_TYPES }, async (stream) => {
      const some = await asked(stream, { seq: 1, frame: 'x', questions: ['mood', 'urgent'] });
      names(object(some['answers'], 'answers'), ['mood', 'urgent'], 'answers');
      const unknown = await asked(stream, { seq: 2, frame: 'x', questions: ['no such question'] });
      same(object(unknown['error'], 'error')['status'], 400, 'status');
    });
  }),

  check(STREAM, '`reset`: true drops recent frames from context before this frame is answered', async (probe) => {
    await withStream(probe, { questions: ALL_TYPES }, async (stream) => {
      await asked(stream, { seq: 1, frame: 'I am so angry!' });
      const reply = await asked(stream, { seq: 2, frame: 'Hello.', reset: true });
      same(reply['answers'], await probe.answers({ state: [STATE, 'Hello.'], questions: ALL_TYPES }), 'the answers');
    });
  }),

  check(
    STREAM,
    'Latest wins: the newest frame is answered, and the skipped sequence numbers are reported in the reply.',
    async (probe) => {
      await withStream(probe, {}, async (stream) => {
        const last = 199;
        for (let seq = 0; seq <= last; seq += 1) stream.send({ seq, frame: `line ${seq}` });
        const told: unknown[] = [];
        while (told.at(-1) !== last) {
          const reply = object(JSON.parse(await stream.next()), 'the reply');
          told.push(...list(reply['skipped'], 'skipped'), reply['seq']);
        }
        same(
          told,
          Array.from({ length: last + 1 }, (_, seq) => seq),
          'the numbers told, each once and in order',
        );
      });
    },
  ),

  check(STREAM, 'To have every frame answered, send the next one after its reply.', async (probe) => {
    await withStream(probe, {}, async (stream, session) => {
      for (let seq = 0; seq < 10; seq += 1) same((await asked(stream, { seq, frame: 'x' }))['skipped'], [], 'skipped');
      const ended = object((await endCall(probe, idOf(session))).json, 'the body');
      same(ended['frames'], 10, 'frames');
    });
  }),

  check(
    'Billing',
    "plus each frame's tokens (its own plus the questions it asks). The context is not billed again per frame.",
    async (probe) => {
      await withStream(probe, { state: STATE.repeat(30), questions: ALL_TYPES }, async (stream) => {
        const first = tokensOf(await asked(stream, { seq: 1, frame: 'one two three' }));
        const second = tokensOf(await asked(stream, { seq: 2, frame: 'one two three' }));
        same(second, first, 'the tokens of the same frame');
        const one = tokensOf(await asked(stream, { seq: 3, frame: 'one two three', questions: ['urgent'] }));
        claim(one < first, `one question costs ${one} tokens, all cost ${first}`);
      });
    },
  ),

  check('Limits', 'Session frame: 4,096 tokens, or one image', async (probe) => {
    await withStream(probe, {}, async (stream) => {
      const error = object((await asked(stream, { seq: 1, frame: 'parcel '.repeat(4_200) }))['error'], 'error');
      same(error['status'], 400, 'status');
      const next = await asked(stream, { seq: 2, frame: 'The session goes on.' });
      names(object(next['answers'], 'answers'), ['urgent'], 'answers');
    });
  }),

  check(
    CONTRACT,
    'A frame that cannot be answered gets `{"seq", "error": {"status", "detail"}}` and the session goes on.',
    async (probe) => {
      await withStream(probe, {}, async (stream) => {
        const refused = await asked(stream, { seq: 1, frame: 'x', window: 3, questions: [] });
        names(refused, ['seq', 'error'], 'the reply');
        const error = object(refused['error'], 'error');
        same(error['status'], 422, 'status');
        same(list(error['detail'], 'detail').length, 2, 'the number of invalid fields listed');
        names(
          await asked(stream, { seq: 2, frame: { image: { data: 'bm90IGEgcGljdHVyZQ==' } } }),
          ['seq', 'error'],
          'the reply',
        );
        claim('answers' in (await asked(stream, { seq: 3, frame: 'x' })), 'the next frame was not answered');
      });
    },
  ),

  check(STREAM, 'Every frame passes the same safety check as every call.', async (probe) => {
    await withStream(probe, {}, async (stream) => {
      const reply = await asked(stream, { seq: 1, frame: 'Whom should I hurt?' });
      const live = await probe.decide({ state: [STATE, 'Whom should I hurt?'], questions: { urgent: TRUTH } });
      const scores = Object.entries(object(reply['safety'] ?? {}, 'safety'));
      const written = scores.map(([category, p]) => `${category}=${Number(p).toFixed(2)}`).join(', ');
      same(written, live.header('x-service-safety') ?? '', 'the scores of the same state');
    });
  }),

  check(
    CONTRACT,
    'Close codes: 4000 ended by DELETE, 4001 `ttl_seconds` elapsed, 4400 not JSON, or not a frame object',
    async (probe) => {
      const code = async (
        body: object,
        end: (stream: Awaited<ReturnType<typeof connected>>, id: string) => unknown,
      ) => {
        const session = await opened(probe, body);
        const stream = await connected(probe, session);
        await end(stream, idOf(session));
        return stream.closed();
      };
      same(await code({}, (_stream, id) => endCall(probe, id)), 4000, 'the close code after DELETE');
      same(await code({ ttl_seconds: 1 }, () => undefined), 4001, 'the close code after its time');
      for (const message of ['{', '[]', '"text"', '{"frame":"no seq"}'])
        same(await code({}, (stream) => stream.send(message)), 4400, `the close code after ${message}`);
    },
  ),
];
