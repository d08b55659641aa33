import { request } from 'node:http';
import { validators } from '@assay/contract';
import { startTestService, type TestService } from '../walks/test-service.js';
import { Caller, Stream } from './testing/caller.js';

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startTestService();
  caller = new Caller(service, service.key);
});
afterAll(() => service.close());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const NOBODYS = `ses_${'0'.repeat(32)}`;

async function refusal(id: string, headers?: Record<string, string>) {
  const refused = await caller.connect(id, headers);
  if (refused instanceof Stream) throw new Error('the upgrade was accepted');
  const body = JSON.parse(refused.text) as { detail: { error_type: string } };
  expect(refused.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(validators.zErrorBody.safeParse(body).success).toBe(true);
  return { status: refused.status, type: body.detail.error_type, headers: refused.headers };
}

const taken = async () => {
  const { session_id } = await caller.open();
  return { id: session_id, stream: await caller.stream(session_id) };
};

test.each<[string, () => Promise<[string, Record<string, string>?]>, number, string]>([
  ['no key', async () => [NOBODYS, {}], 401, 'authentication_error'],
  ['a key of another shape', async () => [NOBODYS, bearer('sk_live_1')], 401, 'authentication_error'],
  ['a revoked key', async () => [NOBODYS, bearer(service.revokedKey)], 401, 'authentication_error'],
  ['a suspended workspace', async () => [NOBODYS, bearer(service.suspendedKey)], 403, 'workspace_suspended'],
  ['no such session', async () => [NOBODYS], 404, 'not_found_error'],
  ['an id that is none', async () => ['none'], 404, 'not_found_error'],
  [
    'a session of another key of the workspace',
    async () => [(await caller.open()).session_id, bearer(await service.newKey(service.workspaceId))],
    404,
    'not_found_error',
  ],
  ['a second socket', async () => [(await taken()).id], 409, 'stream_in_use'],
  [
    'an ended session',
    async () => {
      const { session_id } = await caller.open();
      await caller.end(session_id);
      return [session_id];
    },
    410,
    'session_ended',
  ],
  [
    'a session whose socket was closed',
    async () => {
      const { id, stream } = await taken();
      stream.socket.close();
      await stream.closed;
      return [id];
    },
    410,
    'session_ended',
  ],
])('%s', async (_, prepare, status, type) => {
  const [id, headers] = await prepare();
  expect(await refusal(id, headers)).toMatchObject({ status, type });
});

test('a session of another process is to be looked for there', async () => {
  const other = await startTestService({}, service);
  try {
    const { session_id } = await new Caller(other, service.key).open();
    const { status, type, headers } = await refusal(session_id);
    expect([status, type, headers['retry-after']]).toEqual([529, 'overloaded_error', '1']);
  } finally {
    await other.close();
  }
});

test('an accepted upgrade carries a request id', async () => {
  const { session_id } = await caller.open();
  const id = await new Promise((resolve) => {
    const upgrade = request(`${service.url}/v1/sessions/${session_id}/stream`, {
      headers: {
        ...bearer(service.key),
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    upgrade.on('upgrade', ({ headers }, socket) => {
      socket.destroy();
      resolve(headers['x-request-id']);
    });
    upgrade.end();
  });
  expect(id).toMatch(/^req_/);
});

test('a broken handshake is told in the contract’s words, and leaves the session free', async () => {
  const { session_id } = await caller.open();
  const response = await fetch(`${service.url}/v1/sessions/${session_id}/stream`, { headers: bearer(service.key) });
  expect(response.status).toBe(404);
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve) => {
    const upgrade = request(`${service.url}/v1/sessions/${session_id}/stream`, {
      headers: { ...bearer(service.key), connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '12' },
    });
    upgrade.on('response', (received) => {
      let text = '';
      received.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      received.on('end', () => resolve({ status: received.statusCode, text }));
    });
    upgrade.end();
  });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ detail: { error_type: 'api_usage_error' } });
  const stream = await caller.stream(session_id);
  stream.socket.close();
});

test('a call that asks for another upgrade is answered as a call', async () => {
  const status = await new Promise((resolve) => {
    const call = request(`${service.url}/v1/models`, {
      headers: { ...bearer(service.key), connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' },
    });
    call.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.end();
  });
  expect(status).toBe(200);
});
