import { check } from '../check.js';
import { claim, entries, entryAt, names, number, object, refusal, same, shown, status, text } from '../claims.js';
import { Reply } from '../wire/reply.js';
import { STATE, TIMESTAMP, TRUTH } from './samples.js';
import { connected, endCall, idOf, openCall, opened, sessionsPerKey, withStream } from './session-calls.js';

const OPEN = 'POST /v1/sessions (open a session)';
const END = 'DELETE /v1/sessions/{id}';
const UPGRADE = 'contract: Sessions';
const NOBODYS = `ses_${'0'.repeat(32)}`;

export const sessions = [
  check(
    UPGRADE,
    '`POST /v1/sessions`: 201 `{"session_id", "stream_url", "model", "window", "expires_at", "limits": {"frame_tokens", "images_per_frame"}, "usage"}`',
    async (probe) => {
      const session = await opened(probe);
      await endCall(probe, idOf(session));
      names(session, ['session_id', 'stream_url', 'model', 'window', 'expires_at', 'limits', 'usage'], 'the session');
      claim(/^ses_/.test(idOf(session)), `session_id is ${shown(session['session_id'])}`);
      const url = new URL(text(session['stream_url'], 'stream_url'));
      claim(['ws:', 'wss:'].includes(url.protocol), `stream_url is ${url.protocol}`);
      names(object(session['limits'], 'limits'), ['frame_tokens', 'images_per_frame'], 'limits');
      same(session['model'], (await probe.model()).id, 'model');
    },
  ),

  check(OPEN, '`window`: recent frames kept in context; default 8', async (probe) => {
    const session = await opened(probe);
    await endCall(probe, idOf(session));
    same(session['window'], 8, 'window');
  }),

  check(OPEN, '`ttl_seconds`: session life; default 300, at most 3,600', async (probe) => {
    for (const [ttl, seconds] of [
      [undefined, 300],
      [3600, 3600],
    ] as const) {
      const before = Date.now();
      const session = await opened(probe, ttl === undefined ? {} : { ttl_seconds: ttl });
      await endCall(probe, idOf(session));
      const expires = text(session['expires_at'], 'expires_at');
      claim(TIMESTAMP.test(expires), `expires_at is ${expires}`);
      const life = (Date.parse(expires) - before) / 1000;
      claim(life > seconds - 60 && life < seconds + 60, `the session lives ${life} s`);
    }
    entryAt(entries(await openCall(probe, { ttl_seconds: 3601 })), ['body', 'ttl_seconds']);
  }),

  check(OPEN, '`state`: static context, read once, within the 64k request limit', async (probe) => {
    const reply = await openCall(probe, { state: 'parcel '.repeat(70_000) });
    status(reply, 400);
    same(reply.detail, { error_type: 'max_tokens_exceeded' }, 'detail');
  }),

  check('Billing', 'opening tokens (instructions, state, questions) once', async (probe) => {
    const cost = async (body: object) => {
      const session = await opened(probe, body);
      await endCall(probe, idOf(session));
      return number(object(session['usage'], 'usage')['input_tokens'], 'input_tokens');
    };
    const [short, long] = [await cost({}), await cost({ state: STATE.repeat(20) })];
    claim(short > 0 && long > 5 * short, `opening costs ${short} and ${long} tokens`);
  }),

  check('400 limit bodies', 'unknown model: `api_usage_error` with message `Unknown model: <name>`', async (probe) => {
    const detail = refusal(await openCall(probe, { model: 'no-such-model' }), 400, 'api_usage_error');
    same(detail['message'], 'Unknown model: no-such-model', 'message');
  }),

  check(UPGRADE, '`DELETE /v1/sessions/{id}`: 200; again: the same body.', async (probe) => {
    const id = idOf(await opened(probe));
    const first = await endCall(probe, id);
    status(first, 200);
    const ended = object(first.json, 'the body');
    names(ended, ['session_id', 'state', 'reason', 'frames', 'usage'], 'the body');
    same([ended['session_id'], ended['state'], ended['reason']], [id, 'ended', 'deleted'], 'what it says');
    const again = await endCall(probe, id);
    same([again.status, again.text], [200, first.text], 'the second answer');
  }),

  check(END, 'Closing the socket also ends it.', async (probe) => {
    const session = await opened(probe);
    await (await connected(probe, session)).close();
    const ended = object((await endCall(probe, idOf(session))).json, 'the body');
    same(ended['reason'], 'client_closed', 'reason');
  }),

  check('Authentication', 'Batches and sessions belong to the key that created them', async (probe) => {
    const other = probe.with('decisions');
    const session = await opened(probe);
    const id = idOf(session);
    refusal(await other.call({ method: 'DELETE', path: `/v1/sessions/${id}` }), 404, 'not_found_error');
    const joined = await other.connect(text(session['stream_url'], 'stream_url'));
    claim(joined instanceof Reply, 'another key was let in');
    refusal(joined, 404, 'not_found_error');
    await endCall(probe, id);
  }),

  check(
    UPGRADE,
    'A refused upgrade is an HTTP response with the usual error body: 401, 404, 409, 410',
    async (probe) => {
      await withStream(probe, {}, async (_stream, session) => {
        const url = text(session['stream_url'], 'stream_url');
        const refused = async (who: typeof probe.service, at: string, code: number, type: string) => {
          const reply = await who.connect(at);
          claim(reply instanceof Reply, `the upgrade that should be a ${code} was accepted`);
          refusal(reply, code, type);
          claim((reply.header('x-request-id') ?? '') !== '', 'x-request-id is missing');
        };
        await refused(probe.service.as(undefined), url, 401, 'authentication_error');
        await refused(probe.service, url.replace(idOf(session), NOBODYS), 404, 'not_found_error');
        await refused(probe.service, url, 409, 'stream_in_use');
        await endCall(probe, idOf(session));
        await refused(probe.service, url, 410, 'session_ended');
      });
    },
  ),

  check(
    'GET /v1/models',
    'Lists the models the key can send, with their limits, session limits (sessions per key)',
    async (probe) => {
      const most = await sessionsPerKey(probe);
      if (most > 50) return;
      const open: string[] = [];
      try {
        for (let n = 0; n < most; n += 1) open.push(idOf(await opened(probe)));
        refusal(await openCall(probe), 429, 'rate_limit_error');
      } finally {
        for (const id of open) await endCall(probe, id);
      }
      await endCall(probe, idOf(await opened(probe, { questions: { urgent: TRUTH } })));
    },
  ),
];
