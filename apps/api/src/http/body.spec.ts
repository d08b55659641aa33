import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyRefused, readBody } from './body.js';

const LIMIT = 1_000;
let server: Server;
let heldBytes: number[] = [];

beforeEach(async () => {
  heldBytes = [];
  server = createServer((incoming, response) => {
    readBody(incoming, { limitBytes: LIMIT, timeoutMs: 200 }).then(
      (body) => {
        heldBytes.push(body.length);
        response.end(body);
      },
      (error: unknown) => {
        heldBytes.push(-1);
        response.setHeader('connection', 'close');
        response.end(error instanceof BodyRefused ? error.problem : 'other');
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterEach(() => new Promise((done) => server.close(done)));

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const post = async (body: RequestInit['body'], init: RequestInit = {}) =>
  (await fetch(address(), { method: 'POST', body, ...init })).text();

test.each([0, 1, LIMIT - 1, LIMIT])('takes a body of %i bytes', async (size) => {
  expect(await post(Buffer.alloc(size, 'a'))).toHaveLength(size);
});

test('refuses one byte more, and the caller gets to read it', async () => {
  expect(await post(Buffer.alloc(LIMIT + 1))).toBe('too_large');
  expect(await post(Buffer.alloc(5_000_000))).toBe('too_large');
});

test('refuses a body without a declared length as soon as it is over the limit', async () => {
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(400));
      if (heldBytes.length > 0) controller.close();
    },
  });
  await expect(post(stream, { duplex: 'half' } as RequestInit)).resolves.toBe('too_large');
});

test('gives up on a body that stops arriving', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const slow = request(address(), { method: 'POST', headers: { 'content-length': '10' } }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    });
    slow.on('error', reject);
    slow.write('half');
  });
  expect(answer).toBe('too_slow');
});

test('notices a caller that hangs up half way', async () => {
  const gone = request(address(), { method: 'POST', headers: { 'content-length': '10' } });
  gone.on('error', () => undefined);
  gone.write('half');
  setTimeout(() => gone.destroy(), 30);
  await new Promise<void>((done) => {
    const poll = setInterval(() => {
      if (heldBytes.length === 0) return;
      clearInterval(poll);
      done();
    }, 5);
  });
  expect(heldBytes).toEqual([-1]);
});
