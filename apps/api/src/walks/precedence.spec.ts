import { decision, errorType, type Sent, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

/** When a decision is wrong in several ways, the earlier step of the contract's list answers. */
let service: TestService;
let brokeKey: string;
let slowKey: string;
beforeAll(async () => {
  service = await startTestService();
  brokeKey = await service.newKey(await service.newWorkspace('prepaid'));
  slowKey = await service.newKey(service.workspaceId);
});
afterAll(() => service.close());

const tooMany = {
  q: { type: 'choice', criteria: Object.fromEntries(Array.from({ length: 256 }, (_, at) => [`o${at}`, null])) },
};
const longState = 'a '.repeat(70_000);
const images = Array.from({ length: 17 }, () => ({ url: 'https://example.com/a.png' }));
const huge = ' '.repeat(26_214_401);

test.each<[string, () => Sent, number, string | undefined]>([
  ['401 before a body that is too large', () => ({ body: huge }), 401, 'authentication_error'],
  ['403 before a body that is not JSON', () => ({ key: service.suspendedKey, body: '{' }), 403, 'workspace_suspended'],
  ['413 before a body that is not JSON', () => ({ key: service.key, body: huge }), 413, 'request_too_large_error'],
  [
    '422 before an unknown model',
    () => ({ key: service.key, body: decision({ model: 'none', extra: 1 }) }),
    422,
    undefined,
  ],
  [
    '400 of the model before limits',
    () => ({ key: service.key, body: decision({ model: 'none', questions: tooMany }) }),
    400,
    'api_usage_error',
  ],
  [
    '400 of options before images',
    () => ({ key: service.key, body: decision({ questions: tooMany, images }) }),
    400,
    undefined,
  ],
  [
    '400 of images before tokens',
    () => ({ key: service.key, body: decision({ state: longState, images }) }),
    400,
    'api_usage_error',
  ],
  [
    '400 of tokens before 404',
    () => ({ key: service.key, body: decision({ state: longState, collections: ['c'] }) }),
    400,
    'max_tokens_exceeded',
  ],
  ['404 before 402', () => ({ key: brokeKey, body: decision({ collections: ['c'] }) }), 404, 'collection_not_found'],
  ['400 before 402', () => ({ key: brokeKey, body: decision({ model: 'none' }) }), 400, 'api_usage_error'],
  ['402 at last', () => ({ key: brokeKey, body: decision() }), 402, 'insufficient_credit'],
])('%s', async (_, request, status, type) => {
  const answer = await send(service.url, 'decide', request());
  expect([answer.status, errorType(answer)]).toEqual([status, type]);
});

test('402 before 429, and 429 before the work', async () => {
  const limited = await startTestService({ ASSAY_REQUESTS_PER_MINUTE: '2' }, service);
  try {
    const ask = (key: string, body = decision()) => send(limited.url, 'decide', { key, body });
    expect((await ask(slowKey)).headers.get('x-ratelimit-remaining')).toBe('1');
    expect((await ask(slowKey)).status).toBe(200);
    const over = await ask(slowKey);
    expect([over.status, errorType(over)]).toEqual([429, 'rate_limit_error']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(over.headers.get('retry-after-ms'))).toBeGreaterThan(0);
    expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await ask(slowKey, decision({ model: 'none' }))).status).toBe(400);
    for (let call = 0; call < 4; call++) expect((await ask(brokeKey)).status).toBe(402);
    // Counted per key and model: another key, and a call without a model, have their own count.
    expect((await ask(await service.newKey(service.workspaceId))).status).toBe(200);
    expect((await send(limited.url, 'listModels', { key: slowKey })).status).toBe(200);
  } finally {
    await limited.close();
  }
});
