import { jest } from '@jest/globals';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import type { EndReason } from './ending.js';
import { SessionKeeper } from './session-keeper.js';
import { Caller, type Stream } from './testing/caller.js';

jest.setTimeout(120_000);

let now = new Date();
let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startTestService({}, undefined, () => now);
  caller = new Caller(service, service.key);
});
afterAll(() => service.close());

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

const revoke = async (secret: string) => {
  const { source } = service.database;
  const [key] = await source.query<{ id: string; workspace_id: string }[]>(
    "SELECT id, workspace_id FROM api_keys WHERE hint LIKE '%' || $1 AND revoked_at IS NULL",
    [secret.slice(-4)],
  );
  await new PostgresKeyStore(source).revoke(key!.workspace_id, key!.id);
};

const onKeyOfItsOwn = async () => new Caller(service, await service.newKey(service.workspaceId));

/** What the database has of a session, once it has its end. */
async function recorded(id: string) {
  for (;;) {
    const [row] = await service.database.source.query<{ reason: string | null }[]>(
      'SELECT reason, frames::int, input_tokens::int FROM sessions WHERE id = $1',
      [id],
    );
    if (row?.reason) return row;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Ending {
  name: string;
  code: number;
  reason: EndReason;
  who?: () => Promise<Caller>;
  does: (stream: Stream, by: Caller, id: string) => unknown;
}

const ENDINGS: Ending[] = [
  { name: 'the client closes', code: 1000, reason: 'client_closed', does: ({ socket }) => socket.close(1000) },
  { name: 'the client is gone', code: 1006, reason: 'client_closed', does: ({ socket }) => socket.terminate() },
  {
    name: 'a message is too large',
    code: 1009,
    reason: 'protocol_error',
    does: (stream) => stream.send('x'.repeat(26_214_401)),
  },
  { name: 'DELETE', code: 4000, reason: 'deleted', does: (_, by, id) => by.end(id) },
  { name: 'ttl_seconds elapsed', code: 4001, reason: 'ttl_elapsed', does: () => later(61) },
  {
    name: 'the key was revoked',
    code: 4003,
    reason: 'key_refused',
    who: onKeyOfItsOwn,
    does: (_, by) => revoke(by.key),
  },
  { name: 'not JSON', code: 4400, reason: 'protocol_error', does: (stream) => stream.send('{"seq": 1,') },
  {
    name: 'not UTF-8',
    code: 4400,
    reason: 'protocol_error',
    does: ({ socket }) => socket.send(Uint8Array.of(0x22, 0xff, 0x22), { binary: false }),
  },
  { name: 'bytes', code: 4400, reason: 'protocol_error', does: (stream) => stream.send(Uint8Array.of(123, 125)) },
  { name: 'no object', code: 4400, reason: 'protocol_error', does: (stream) => stream.send('[1]') },
  { name: 'no seq', code: 4400, reason: 'protocol_error', does: (stream) => stream.send({ frame: 'x' }) },
];

test.each(ENDINGS)('$name: close code $code, and the session has ended', async ({ code, reason, who, does }) => {
  const by = (await who?.()) ?? caller;
  const { session_id: id, usage } = await by.open({ ttl_seconds: 60 });
  const stream = await by.stream(id);
  const { usage: spent } = await stream.ask({ seq: 1, frame: 'x' });
  await does(stream, by, id);
  expect((await stream.closed).code).toBe(code);
  const input_tokens = usage.input_tokens + (spent?.input_tokens ?? 0);
  const expected = { session_id: id, state: 'ended', reason, frames: 1, usage: { input_tokens, output_tokens: 0 } };
  const row = await recorded(id);
  expect(row).toEqual({ reason, frames: 1, input_tokens });
  if (reason !== 'key_refused') expect([await by.ended(id), await by.ended(id)]).toEqual([expected, expected]);
  expect(service.app.get(SessionKeeper).sessions.ids).not.toContain(id);
});

test('a session without a socket ends with its time too', async () => {
  const { session_id } = await caller.open({ ttl_seconds: 60 });
  later(59);
  expect(service.app.get(SessionKeeper).sessions.ids).toContain(session_id);
  later(2);
  expect(await caller.ended(session_id)).toMatchObject({ reason: 'ttl_elapsed', frames: 0 });
});

test('used-up credit is told to the frame that was not paid, and ends the session', async () => {
  const workspaceId = await service.newWorkspace('prepaid');
  const credit = new PostgresCreditStore(service.database.source);
  const grant = (amountNano: bigint, reference: string) =>
    credit.grant({ workspaceId, kind: 'top_up', amountNano, reference });
  await grant(1_000_000n, 'much');
  const broke = new Caller(service, await service.newKey(workspaceId));
  const { session_id } = await broke.open();
  const stream = await broke.stream(session_id);
  await stream.ask({ seq: 1, frame: 'paid' });
  await service.database.source.query('UPDATE workspaces SET balance_nano = 5 WHERE id = $1', [workspaceId]);
  expect(await stream.ask({ seq: 2, frame: 'not paid' })).toEqual({
    seq: 2,
    error: { status: 402, detail: { error_type: 'insufficient_credit', message: expect.any(String) } },
  });
  expect((await stream.closed).code).toBe(4003);
  expect(await broke.ended(session_id)).toMatchObject({ reason: 'key_refused', frames: 1 });
});

test('without credit no session is opened', async () => {
  const broke = new Caller(service, await service.newKey(await service.newWorkspace('prepaid')));
  await expect(broke.open()).rejects.toThrow('402');
});

test('a key holds as many sessions as the model list says', async () => {
  const by = await onKeyOfItsOwn();
  const list = (await (
    await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${by.key}` } })
  ).json()) as {
    models: { session: { sessions_per_key: number } }[];
  };
  const most = list.models[0]?.session.sessions_per_key ?? 0;
  expect(most).toBe(10);
  const opened = await Promise.all(Array.from({ length: most }, () => by.open()));
  await expect(by.open()).rejects.toThrow('429');
  await by.end(opened[0]!.session_id);
  await by.open();
  await expect(by.open()).rejects.toThrow('rate_limit_error');
  later(301);
  await expect(by.open()).resolves.toMatchObject({ session_id: expect.any(String) });
});

test('a session is ended from another process too, with what it came to', async () => {
  const other = await startTestService({}, service, () => now);
  try {
    const { session_id } = await caller.open();
    const stream = await caller.stream(session_id);
    await stream.ask({ seq: 1, frame: 'x' });
    expect(await new Caller(other, service.key).ended(session_id)).toMatchObject({ reason: 'deleted', frames: 1 });
    expect((await stream.closed).code).toBe(4000);
    expect(service.app.get(SessionKeeper).sessions.ids).not.toContain(session_id);
  } finally {
    await other.close();
  }
});

test('the sessions of a process that is gone do not count, and say that they ended', async () => {
  const by = await onKeyOfItsOwn();
  const { session_id } = await by.open();
  const { source } = service.database;
  await source.query("UPDATE sessions SET holder = 'gone' WHERE id = $1", [session_id]);
  await source.query("INSERT INTO session_holders VALUES ('gone', now() - interval '1 s')");
  await recorded(session_id);
  expect(await by.ended(session_id)).toMatchObject({ reason: 'server_shutdown' });
});

test('on shutdown the frame in work is answered, upgrades are refused and sockets closed with 1001', async () => {
  const stopping = await startTestService({}, service, () => now);
  const by = new Caller(stopping, service.key);
  const [{ session_id }, idle] = [await by.open({ state: 'a '.repeat(3_000) }), await by.open()];
  const stream = await by.stream(session_id);
  stream.send({ seq: 1, frame: 'in work' });
  // What was sent before a ping has been taken when its pong comes.
  stream.socket.ping();
  await new Promise((resolve) => stream.socket.once('pong', resolve));
  const keeper = stopping.app.get(SessionKeeper);
  const stopped = keeper.stop(10_000);
  expect(await by.connect(idle.session_id)).toMatchObject({ status: 410 });
  await expect(by.open()).rejects.toThrow('529');
  expect(await stream.next()).toMatchObject({ seq: 1, answers: expect.anything() });
  expect((await stream.closed).code).toBe(1001);
  await stopped;
  expect(await by.ended(session_id)).toMatchObject({ reason: 'server_shutdown', frames: 1 });
  await stopping.close();
});
