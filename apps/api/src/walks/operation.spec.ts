import { asyncapiDocument, openapiDocument } from '@assay/contract';
import { decision, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const get = (path: string) => fetch(service.url + path);

test('the documents served are the contract itself', async () => {
  expect(await (await get('/openapi.json')).json()).toEqual(openapiDocument);
  expect(await (await get('/asyncapi.json')).json()).toEqual(asyncapiDocument);
  const guide = await (await get('/llms.txt')).text();
  expect(guide).toContain('POST /v1/decide: Answer typed questions');
  expect(guide).toContain('(/openapi.json)');
});

test('the reference page loads from this service only, and the browser is told so', async () => {
  const page = await get('/docs');
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(loaded).toContain('/docs/assets/swagger-ui-bundle.js');
  for (const address of loaded) {
    expect(address).toMatch(/^\/[^/]/);
    expect((await get(address)).status).toBe(200);
  }
  expect(html).not.toMatch(/https?:/);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
  expect(await (await get('/docs/start.js')).text()).toContain("url: '/openapi.json'");
});

test('health, readiness and measurements', async () => {
  await send(service.url, 'decide', { key: service.key, body: decision() });
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ready', checks: { database: 'ok', engine: 'ok' } });
  const metrics = await (await get('/metrics')).text();
  expect(metrics).toMatch(/assay_http_request_duration_seconds_count\{operation="decide",status="200"\} [1-9]/);
  expect(metrics).toMatch(/assay_input_tokens_total\{model="tiny-1.0",way="decide"\} [1-9]/);
  expect(metrics).toMatch(/assay_engine_step_milliseconds_count\{priority="live",work="ask"\} [1-9]/);
});

test('an answer names its model, its request and where its time went', async () => {
  const { headers, body } = await send(service.url, 'decide', {
    key: service.key,
    body: decision(),
    headers: { 'x-request-id': 'mine' },
  });
  expect(body).toMatchObject({ model: 'tiny-1.0', usage: { input_tokens: expect.any(Number), output_tokens: 0 } });
  expect(headers.get('x-service-model')).toBe('tiny-1.0');
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(headers.get('server-timing')).toMatch(
    /^validate;dur=[\d.]+, queue;dur=[\d.]+, read;dur=[\d.]+, ask;dur=[\d.]+$/,
  );
  expect(Number(headers.get('x-ratelimit-limit'))).toBe(1_000_000);
});

test('the same request gets the same answers, whatever name the model is called by', async () => {
  const [pinned, alias] = await Promise.all(
    ['tiny-1.0', 'tiny-latest'].map((model) =>
      send(service.url, 'decide', { key: service.key, body: decision({ model }) }),
    ),
  );
  expect(pinned?.body).toEqual(alias?.body);
});

test('models are listed page by page', async () => {
  const answer = await send(service.url, 'listModels', { key: service.key, query: 'offset=0&limit=1' });
  expect(answer.body).toMatchObject({
    models: [{ id: 'tiny-1.0', aliases: ['tiny-latest'] }],
    aliases: { 'tiny-latest': 'tiny-1.0' },
    next_offset: null,
  });
  expect((await send(service.url, 'listModels', { key: service.key, query: 'offset=1' })).body).toMatchObject({
    models: [],
    next_offset: null,
  });
});

test('one log line per request, with no content of it', async () => {
  const mark = 'MARKED-CONTENT';
  service.logged.length = 0;
  const state = `${mark} in a state`;
  await send(service.url, 'decide', {
    key: service.key,
    body: decision({ state, questions: { [mark]: { type: 'truth', instructions: mark } } }),
  });
  await send(service.url, 'decide', { key: service.key, body: decision({ model: mark, [mark]: mark }) });
  await send(service.url, 'decide', { key: service.key, body: `{"${mark}": ` });
  await send(service.url, 'decide', { key: mark, body: decision({ state }), query: `q=${mark}` });
  await send(service.url, 'getBatch', { key: service.key, params: { id: mark } });
  await fetch(`${service.url}/${mark}?${mark}=${mark}`, { headers: { 'user-agent': mark, referer: mark } });
  const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ message }) => message === 'request')).toHaveLength(6);
  const text = service.logged.join('');
  expect(text).not.toContain(mark);
  expect(text).not.toContain(service.key);
  expect(lines[0]).toMatchObject({
    operation: 'decide',
    status: 200,
    model: 'tiny-1.0',
    key: expect.stringMatching(/^key_/),
    input_tokens: expect.any(Number),
  });
});

test('a fault shows nothing but api_error, and is logged by where it happened', async () => {
  const broken = await startTestService();
  await broken.database.source.query('ALTER TABLE ledger_entries RENAME TO somewhere_else');
  const answer = await send(broken.url, 'decide', { key: broken.key, body: decision({ state: 'MARKED-CONTENT' }) });
  expect([answer.status, answer.text]).toEqual([
    500,
    '{"detail":{"error_type":"api_error","message":"Something went wrong on our side."}}',
  ]);
  const fault = broken.logged.find((line) => line.includes('"message":"fault"'));
  expect(fault).toContain('42P01');
  expect(broken.logged.join('')).not.toContain('MARKED-CONTENT');
  await broken.close();
});

test('while the database is away the service is not ready', async () => {
  const alone = await startTestService();
  await alone.database.source.destroy();
  const ready = await fetch(`${alone.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', checks: { database: 'failed', engine: 'ok' } },
  ]);
  await alone.app.close();
});
