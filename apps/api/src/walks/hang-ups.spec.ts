import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { decision, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ASSAY_BODY_TIMEOUT_SECONDS: '1' });
});
afterAll(() => service.close());

const port = () => Number(new URL(service.url).port);

/** What comes back for bytes written straight to the socket. */
async function raw(...written: string[]): Promise<string> {
  const socket = connect(port(), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  for (const part of written) socket.write(part);
  await once(socket, 'close');
  return received;
}

test('a body that does not arrive in time: 408, and the connection ends', async () => {
  const answer = await raw(
    `POST /v1/decide HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.key}\r\ncontent-length: 100\r\n\r\n{"model"`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toMatch(/x-request-id: req_/);
  expect(answer).toContain('"error_type":"request_timeout_error"');
});

test('a request that is not HTTP: 400 in the contract’s shape, with a request id', async () => {
  const answer = await raw('GIVE ME ANSWERS\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toMatch(/x-request-id: req_/);
  expect(answer).toContain('"error_type":"api_usage_error"');
});

test('headers that are too large: 400', async () => {
  expect(await raw(`GET /v1/models HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toContain('headers are too large');
});

test('a caller that hangs up before the answer pays nothing, and the service goes on', async () => {
  const workspace = await service.newWorkspace('unlimited');
  const key = await service.newKey(workspace);
  const body = decision({ state: 'a '.repeat(10_000) });
  const gone = request({
    port: port(),
    path: '/v1/decide',
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  gone.on('error', () => undefined);
  gone.end(body);
  await once(gone, 'finish');
  gone.destroy();
  await until(() => service.logged.some((line) => line.includes('"status":499')));
  expect((await send(service.url, 'decide', { key: service.key, body: decision() })).status).toBe(200);
  const charged = await service.database.source.query('SELECT FROM ledger_entries WHERE workspace_id = $1', [
    workspace,
  ]);
  expect(charged).toHaveLength(0);
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++) await new Promise((done) => setTimeout(done, 20));
  if (!condition()) throw new Error('it did not happen');
}
