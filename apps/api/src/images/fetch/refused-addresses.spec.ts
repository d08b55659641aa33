import { type Origin, origin } from '../testing/origin.js';
import { FetchRefused } from './outcome.js';
import { PictureFetcher, PUBLIC_INTERNET } from './picture-fetcher.js';

let victim: Origin;

beforeAll(async () => {
  victim = await origin((_request, response) => response.end('a secret of this network'));
});
afterAll(() => victim[Symbol.asyncDispose]());

const outcome = (fetching: Promise<Buffer>): Promise<unknown> =>
  fetching.then(
    () => 'fetched',
    (error: unknown) => error,
  );

/** Every one of these reaches the victim with an ordinary client, or wraps an address that does. */
const SPELLINGS = [
  'http://127.0.0.1',
  'http://127.0.0.1.',
  'http://127.1',
  'http://127.0.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://0x7f.0.0.1',
  'http://0x7f.1',
  'http://017700000001',
  'http://0177.0.0.1',
  'http://0177.0x0.0.01',
  'http://127.000.000.001',
  'http://127.255.255.254',
  'http://0',
  'http://0.0.0.0',
  'http://0x0',
  'http://%31%32%37.0.0.1',
  'http://１２７.0.0.1',
  'http://①②⑦.⓪.⓪.①',
  'http://127。0。0。1',
  'http://[::1]',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[0:0:0:0:0:ffff:127.0.0.1]',
  'http://[::127.0.0.1]',
  'http://[64:ff9b::127.0.0.1]',
  'http://[64:ff9b:1::127.0.0.1]',
  'http://[2002:7f00:1::]',
  'http://[2001:0:7f00:1::]',
  'http://[fe80::1]',
  'http://[fd00:ec2::254]',
  'http://169.254.169.254',
  'http://100.100.100.200',
  'http://168.63.129.16',
  'http://localhost',
  'http://LOCALHOST.',
  'http://anything.localhost',
  'http://metadata.google.internal',
  'http://printer.local',
  'http://intranet',
  'https://127.0.0.1',
  'https://[::1]',
];

test.each(SPELLINGS)('does not reach this machine as %s', async (spelling) => {
  const fetcher = new PictureFetcher({ ...PUBLIC_INTERNET, ports: [victim.port] });
  expect(await outcome(fetcher.fetch(`${spelling}:${victim.port}/picture.png`))).toBeInstanceOf(FetchRefused);
  expect(victim.connections()).toBe(0);
});

test.each([
  ['a user name', 'http://me@pictures.example/a.png'],
  ['a password', 'http://:secret@pictures.example/a.png'],
  ['a host hidden behind a user name', 'http://pictures.example@127.0.0.1/'],
  ['file', 'file:///etc/passwd'],
  ['ftp', 'ftp://pictures.example/a.png'],
  ['gopher', 'gopher://pictures.example:80/_GET'],
  ['data', 'data:image/png;base64,AAAA'],
  ['blob', 'blob:http://pictures.example/1'],
  ['a port of mail', 'http://pictures.example:25/'],
  ['a port of a database', 'http://pictures.example:6379/'],
  ['no host', 'http:///'],
  ['no address', 'pictures.example/a.png'],
  ['a very long address', `http://pictures.example/${'a'.repeat(3_000)}`],
  ['a zone', 'http://[fe80::1%25eth0]/'],
])('refuses %s before any name is resolved', async (_what, url) => {
  const resolve = () => Promise.reject(new Error('a name was resolved'));
  expect(await outcome(new PictureFetcher({ ...PUBLIC_INTERNET, resolve }).fetch(url))).toBeInstanceOf(FetchRefused);
});

test.each([
  [['127.0.0.1']],
  [['::ffff:127.0.0.1']],
  [['0.0.0.0']],
  [['93.184.215.14', '127.0.0.1']],
  [['93.184.215.14', '::1']],
  [['169.254.169.254']],
])('refuses a public name that resolves to %j', async (addresses) => {
  const resolve = async () => addresses;
  const fetcher = new PictureFetcher({ ...PUBLIC_INTERNET, resolve, ports: [victim.port] });
  const url = `http://pictures.example:${victim.port}/`;
  expect(await outcome(fetcher.fetch(url))).toBeInstanceOf(FetchRefused);
  expect(victim.connections()).toBe(0);
});
