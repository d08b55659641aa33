import { NotApplicable } from '../check.js';
import { claim, number, object, status, text } from '../claims.js';
import type { Probe } from '../probe.js';
import type { JsonObject, Reply } from '../wire/reply.js';
import { Stream } from '../wire/stream.js';
import { STATE, TRUTH } from './samples.js';
import { served } from './served.js';

/** How many sessions a key may hold; ends the check where a deployment has sessions switched off. */
export async function sessionsPerKey(probe: Probe): Promise<number> {
  const { entry } = await probe.model();
  const most = number(object(entry['session'], 'session')['sessions_per_key'], 'sessions_per_key');
  if (most === 0) throw new NotApplicable('this deployment has sessions switched off');
  return most;
}

/** An open call on the model under test. */
export async function openCall(probe: Probe, body: object = {}): Promise<Reply> {
  await sessionsPerKey(probe);
  const { id } = await probe.model();
  const json = { model: id, state: STATE, questions: { urgent: TRUTH }, ...body };
  return served(await probe.service.call({ path: '/v1/sessions', json }));
}

export async function opened(probe: Probe, body: object = {}): Promise<JsonObject> {
  const reply = await openCall(probe, body);
  status(reply, 201);
  return object(reply.json, 'the session');
}

export const idOf = (session: JsonObject): string => text(session['session_id'], 'session_id');

export const endCall = (probe: Probe, id: string): Promise<Reply> =>
  probe.service.call({ method: 'DELETE', path: `/v1/sessions/${id}` });

export async function connected(probe: Probe, session: JsonObject): Promise<Stream> {
  const stream = await probe.service.connect(text(session['stream_url'], 'stream_url'));
  claim(stream instanceof Stream, 'the upgrade was refused');
  return stream;
}

/** A session and its socket for the time of a check. */
export async function withStream(
  probe: Probe,
  body: object,
  run: (stream: Stream, session: JsonObject) => Promise<void>,
): Promise<void> {
  const session = await opened(probe, body);
  try {
    await run(await connected(probe, session), session);
  } finally {
    await endCall(probe, idOf(session));
  }
}

export async function asked(stream: Stream, frame: object): Promise<JsonObject> {
  return object(JSON.parse(await stream.ask(frame)), 'the reply');
}
