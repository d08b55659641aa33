import { type LimitName, limits, operationTable } from '@assay/contract';
import { type Probe, surfaceProbes } from './probes.js';
import { decision, errorType, type Received, type Sent, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, null]));
const levels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at), null]));
const asking = (question: unknown): Sent => ({ body: decision({ questions: { q: question } }) });
/** Right but for a collection that nobody has: within the token limit a 404, so that finding the limit costs no model work. */
const words = (count: number): Sent => ({ body: decision({ state: 'a '.repeat(count), collections: ['nobodys'] }) });

/** The longest text within the limit, found by asking: what else counts as a token is the engine's business. */
async function longest(): Promise<number> {
  let within = 1_000;
  let over = 2 * limits.requestTokens.value;
  while (over - within > 1) {
    const middle = Math.floor((within + over) / 2);
    const { status } = await send(service.url, 'decide', { key: service.key, ...words(middle) });
    if (status === 404) within = middle;
    else over = middle;
  }
  return within;
}

const tokens = async (wanted: number): Promise<Sent> => words((await longest()) + wanted - limits.requestTokens.value);

function padded(bytes: number): Sent {
  const body = decision();
  return { body: body.slice(0, -1).padEnd(bytes - 1) + body.slice(-1) };
}

const session = (changes: Record<string, unknown>): Sent => ({ body: decision(changes) });
const image = (at: number) => ({ id: `i${at}`, url: 'https://example.com/a.png' });
const images = (count: number) => decision({ images: Array.from({ length: count }, (_, at) => image(at)) });
const collections = (count: number) => decision({ collections: Array.from({ length: count }, (_, at) => `c${at}`) });

const PROBES: Partial<Record<LimitName, Probe>> = {
  requestTokens: { operation: 'decide', request: tokens, within: 404 },
  choiceOptions: { operation: 'decide', request: (count) => asking({ type: 'choice', criteria: named(count) }) },
  scoreLevels: { operation: 'decide', request: (count) => asking({ type: 'score', criteria: levels(count) }) },
  numberValues: { operation: 'decide', request: (count) => asking({ type: 'number', min: 1, max: count }) },
  numberStep: { operation: 'decide', request: (step) => asking({ type: 'number', min: 0, max: 3, step }), least: true },
  images: { operation: 'decide', request: (count) => ({ body: images(count) }), within: 400 },
  collections: { operation: 'decide', request: (count) => ({ body: collections(count) }), within: 404 },
  jsonBody: { operation: 'decide', request: padded },
  pageEntries: { operation: 'listModels', request: (limit) => ({ query: `limit=${limit}` }) },
  sessionWindow: { operation: 'openSession', request: (window) => session({ window }) },
  sessionSeconds: { operation: 'openSession', request: (ttl_seconds) => session({ ttl_seconds }) },
  imageId: {
    operation: 'decide',
    request: (length) => ({ body: decision({ images: [{ ...image(0), id: 'i'.repeat(length) }] }) }),
    within: 400,
  },
  ...surfaceProbes(() => service),
};

/** Checked where the surface that has them is tested. */
const ELSEWHERE: readonly LimitName[] = [
  // Ten batches of ten thousand just reach it, so the store's tests go over it with smaller batches allowed.
  'activeRequests',
  'imagePixels',
  'imageFrames',
  'frameTokens',
  'workspaceItems',
  'facesReadable',
];

test('every limit of the table is checked here or named as another surface’s', () => {
  expect([...Object.keys(PROBES), ...ELSEWHERE].sort()).toEqual(Object.keys(limits).sort());
});

function isRefusedBy(name: LimitName, answer: Received): boolean {
  const { status, error } = limits[name];
  if (answer.status !== status) return false;
  if (error === 'validation') return Array.isArray((answer.body as { detail: unknown }).detail);
  if (error === 'question_limit') return typeof (answer.body as { detail: unknown }).detail === 'string';
  if (error === 'max_tokens_exceeded') return answer.text === '{"detail":{"error_type":"max_tokens_exceeded"}}';
  return errorType(answer) === error;
}

describe.each(Object.entries(PROBES) as [LimitName, Probe][])('%s', (name, { operation, request, least, within }) => {
  const { value } = limits[name];
  const sending = async (amount: number) =>
    send(service.url, operation, { key: service.key, ...(await request(amount)) });

  test.each([
    ['at', value],
    ['one inside', least ? value + 1 : value - 1],
  ])('%s the limit (%i) it is not refused', async (_, amount) => {
    const answer = await sending(amount);
    expect(answer.status).toBe(within ?? operationTable[operation].status);
    const overMessage = (limits[name].message as (sent: number) => string)(amount);
    expect(answer.text).not.toContain(overMessage);
  });

  test('one over it is refused as the table says, and the answer fits its schema', async () => {
    const answer = await sending(least ? value - 1 : value + 1);
    expect([answer.status, answer.text.slice(0, 300), isRefusedBy(name, answer)]).toEqual([
      limits[name].status,
      expect.any(String),
      true,
    ]);
    expect(operationTable[operation].responses[answer.status]?.safeParse(answer.body).error).toBeUndefined();
  });
});

test('a refused call is not charged and appears in no usage', async () => {
  const before = await service.database.source.query('SELECT count(*) FROM ledger_entries');
  await send(service.url, 'decide', { key: service.key, ...asking({ type: 'choice', criteria: named(256) }) });
  await send(service.url, 'decide', { key: service.key, body: decision({ model: 'assay-9' }) });
  expect(await service.database.source.query('SELECT count(*) FROM ledger_entries')).toEqual(before);
});

test('an unknown model is named', async () => {
  const answer = await send(service.url, 'decide', { key: service.key, body: decision({ model: 'assay-9' }) });
  expect([answer.status, answer.body]).toEqual([
    400,
    { detail: { error_type: 'api_usage_error', message: 'Unknown model: assay-9' } },
  ]);
});
