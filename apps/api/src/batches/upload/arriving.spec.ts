import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyRefused } from '../../http/body.js';
import { arriving } from './arriving.js';

const LIMIT = 1_000_000;
let server: Server;
let outcomes: string[] = [];

async function total(incoming: IncomingMessage): Promise<string> {
  let bytes = 0;
  for await (const chunk of arriving(incoming, { limitBytes: LIMIT, timeoutMs: 300 })) {
    bytes += chunk.length;
    if (chunk.includes('!')) throw new Error('refused by the reader');
  }
  return String(bytes);
}

beforeEach(async () => {
  outcomes = [];
  server = createServer((incoming, response) => {
    total(incoming)
      .catch((error: unknown) => (error instanceof BodyRefused ? error.problem : (error as Error).message))
      .then((outcome) => {
        outcomes.push(outcome);
        if (!incoming.complete) response.setHeader('connection', 'close');
        response.end(outcome);
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => server.close(done)));

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const post = async (body: NonNullable<RequestInit['body']>) =>
  (await fetch(address(), { method: 'POST', body })).text();

test.each([0, 1, LIMIT - 1, LIMIT])('gives on a body of %i bytes', async (size) => {
  expect(await post(Buffer.alloc(size, 'a'))).toBe(String(size));
});

test('refuses one byte more, and the caller gets to read it', async () => {
  expect(await post(Buffer.alloc(LIMIT + 1))).toBe('too_large');
});

test('refuses an undeclared body at the limit', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(100_000));
      if (sent === 15) controller.close();
    },
  });
  const answer = await fetch(address(), { method: 'POST', body: endless, duplex: 'half' } as RequestInit);
  expect(await answer.text()).toBe('too_large');
});

test('when its reader refuses it half way, the caller gets to read that', async () => {
  const body = Buffer.alloc(LIMIT, 'a');
  body.write('!', 10);
  expect(await post(body)).toBe('refused by the reader');
});

const unfinished = (then: (sent: ReturnType<typeof request>) => void) =>
  new Promise<string>((resolve) => {
    const sent = request(address(), { method: 'POST', headers: { 'content-length': '10' } }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    });
    sent.on('error', () => resolve('no answer'));
    sent.write('half');
    then(sent);
  });

test('gives up on a body that stops arriving', async () => {
  expect(await unfinished(() => undefined)).toBe('too_slow');
});

test('notices a caller that hangs up half way', async () => {
  expect(await unfinished((sent) => setTimeout(() => sent.destroy(), 50))).toBe('no answer');
  for (let tries = 0; outcomes.length === 0 && tries < 200; tries += 1)
    await new Promise((next) => setTimeout(next, 10));
  expect(outcomes).toEqual(['hang_up']);
});
