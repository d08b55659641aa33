import { gzipSync } from 'node:zlib';
import { type Origin, origin } from '../testing/origin.js';
import { selfSigned } from '../testing/self-signed.js';
import { FetchRefused, FetchUnreached } from './outcome.js';
import { type FetchPolicy, PictureFetcher, PUBLIC_INTERNET } from './picture-fetcher.js';

const PICTURE = Buffer.from('the bytes of a picture');
const certificate = selfSigned('secure.example');
const MEGABYTE = 1_000_000;
const GZIP_BOMB = gzipSync(Buffer.alloc(500 * MEGABYTE));

let victim: Origin;
let site: Origin;
let secure: Origin;
let names: Record<string, string[]>;
let resolved: string[];

beforeAll(async () => {
  victim = await origin((_request, response) => response.end('a secret of this network'));
  site = await origin((request, response) => {
    const [, what, rest] = request.url?.match(/^\/(\w+)\/?(.*)$/) ?? [];
    if (what === 'picture') return response.end(PICTURE);
    if (what === 'to') return response.writeHead(302, { location: decodeURIComponent(rest ?? '') }).end('ignored');
    if (what === 'again')
      return response.writeHead(307, { location: Number(rest) > 1 ? `/again/${Number(rest) - 1}` : '/picture' }).end();
    if (what === 'drip') return void setInterval(() => response.write('x'), 20).unref();
    if (what === 'silent') return undefined;
    if (what === 'endless') return void response.writeHead(200).write(Buffer.alloc(3_000));
    if (what === 'claims') return response.writeHead(200, { 'content-length': '99999999' }).write('x');
    if (what === 'short') {
      response.writeHead(200, { 'content-length': '50' }).write('x');
      return void setTimeout(() => response.destroy(), 10);
    }
    if (what === 'gzip') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(GZIP_BOMB);
    if (what === 'headers') return response.writeHead(200, { 'x-long': 'x'.repeat(60_000) }).end(PICTURE);
    return response.writeHead(404).end();
  });
  secure = await origin((_request, response) => response.end(PICTURE), certificate);
});
afterAll(async () => {
  for (const server of [victim, site, secure]) await server[Symbol.asyncDispose]();
});

beforeEach(() => {
  resolved = [];
  names = { 'pictures.example': ['127.0.0.1'], 'secure.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] };
});

/** Lets the tests reach 127.0.0.1 and the ports of their own servers; everything else is as in production. */
const fetcher = (change: Partial<FetchPolicy> = {}) =>
  new PictureFetcher({
    ...PUBLIC_INTERNET,
    resolve: async (host) => {
      resolved.push(host);
      return names[host] ?? Promise.reject(new Error('unknown'));
    },
    isAllowed: (address) => address === '127.0.0.1' || PUBLIC_INTERNET.isAllowed(address),
    ports: [site.port, secure.port, victim.port],
    ...change,
  });

const at = (path: string, host = 'pictures.example') => `http://${host}:${site.port}${path}`;
const via = (target: string) => at(`/to/${encodeURIComponent(target)}`);

test('fetches from the address it resolved, under the name of the url', async () => {
  expect(await fetcher().fetch(at('/picture?size=2'))).toEqual(PICTURE);
  expect(site.asked.at(-1)).toBe(`pictures.example:${site.port}/picture?size=2`);
  expect(resolved).toEqual(['pictures.example']);
});

test('speaks TLS to the name of the url, and only to that name', async () => {
  const trusting = fetcher({ authorities: [certificate.cert] });
  expect(await trusting.fetch(`https://secure.example:${secure.port}/`)).toEqual(PICTURE);
  await expect(trusting.fetch(`https://other.example:${secure.port}/`)).rejects.toThrow(FetchUnreached);
  await expect(trusting.fetch(`https://127.0.0.1:${secure.port}/`)).rejects.toThrow(FetchUnreached);
  await expect(fetcher().fetch(`https://secure.example:${secure.port}/`)).rejects.toThrow(FetchUnreached);
});

test('follows three redirects and refuses the fourth', async () => {
  expect(await fetcher().fetch(at('/again/3'))).toEqual(PICTURE);
  await expect(fetcher().fetch(at('/again/4'))).rejects.toThrow(FetchRefused);
});

test('takes a redirect to another name that is allowed', async () => {
  expect(await fetcher().fetch(via(at('/picture', 'other.example')))).toEqual(PICTURE);
  expect(resolved).toEqual(['pictures.example', 'other.example']);
});

test.each([
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://127.0.0.2:PORT/',
  'http://2130706434:PORT/',
  'http://0x7f.2:PORT/',
  'http://localhost:PORT/',
  'http://hidden.example:PORT/',
  'http://mixed.example:PORT/',
  '//0.0.0.0:PORT/',
  '\\\\0.0.0.0:PORT\\',
  'http://pictures.example@0.0.0.0:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://pictures.example:22/',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'http://[',
  '',
])('checks where a redirect leads: %s', async (target) => {
  names['hidden.example'] = ['0.0.0.0'];
  names['mixed.example'] = ['127.0.0.1', '0.0.0.0'];
  await expect(fetcher().fetch(via(target.replace('PORT', String(victim.port))))).rejects.toThrow(FetchRefused);
  expect(victim.connections()).toBe(0);
});

test('does not follow https into http', async () => {
  const turning = await origin((_request, response) => {
    response.writeHead(302, { location: at('/picture') }).end();
  }, certificate);
  const trusting = fetcher({ authorities: [certificate.cert], ports: [turning.port, site.port] });
  await expect(trusting.fetch(`https://secure.example:${turning.port}/`)).rejects.toThrow(FetchRefused);
  await turning[Symbol.asyncDispose]();
});

test('a name that changes its address after the check is dialled where it was checked', async () => {
  const answers = [['127.0.0.1'], ['0.0.0.0']];
  const rebinding = fetcher({ resolve: async () => answers.shift() ?? [], ports: [site.port] });
  expect(await rebinding.fetch(at('/picture'))).toEqual(PICTURE);
  expect(answers).toHaveLength(1);
});

test('a name that changes its address between redirects is refused', async () => {
  const answers = [['127.0.0.1'], ['0.0.0.0']];
  const rebinding = fetcher({ resolve: async () => answers.shift() ?? [] });
  await expect(rebinding.fetch(via(`http://pictures.example:${victim.port}/`))).rejects.toThrow(FetchRefused);
  expect(victim.connections()).toBe(0);
});

test.each(['/drip', '/silent', '/endless'])('%s is cut when time is up', async (path) => {
  await expect(fetcher({ milliseconds: 200 }).fetch(at(path))).rejects.toThrow('not reached in time');
});

test('a name server that never answers is cut when time is up', async () => {
  const stuck = fetcher({ milliseconds: 100, resolve: () => new Promise<string[]>(() => undefined) });
  await expect(stuck.fetch(at('/picture'))).rejects.toThrow('not reached in time');
});

test.each(['/endless', '/claims'])('%s is cut at the limit of bytes', async (path) => {
  await expect(fetcher({ bytes: 2_000 }).fetch(at(path))).rejects.toThrow('over 2000 bytes');
});

test('a compressed body is refused and never expanded', async () => {
  const before = process.memoryUsage.rss();
  await expect(fetcher().fetch(at('/gzip'))).rejects.toThrow('compressed');
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEGABYTE);
});

test.each(['/short', '/missing', '/headers'])('%s is not taken for a picture', async (path) => {
  await expect(fetcher().fetch(at(path))).rejects.toThrow(FetchUnreached);
});

test('a caller that leaves ends the fetch', async () => {
  const caller = new AbortController();
  const fetching = fetcher().fetch(at('/silent'), caller.signal);
  setTimeout(() => caller.abort(), 20);
  await expect(fetching).rejects.toThrow(FetchUnreached);
});

test('says nothing of what the other server said', async () => {
  for (const path of ['/missing', '/short', via('http://0.0.0.0/').slice(at('').length)])
    await expect(fetcher().fetch(at(path))).rejects.not.toThrow(/secret|127\.0\.0\.1|ECONN/);
});
