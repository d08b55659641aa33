import { type Batch, limits, parse, stringify } from '@assay/contract';
import { startTestService, type TestService } from '../walks/test-service.js';
import { BatchCaller, line, lines } from './testing/caller.js';
import { inconsistencies } from './testing/consistency.js';
import { mixedBodies } from './testing/requests.js';

interface Result {
  readonly custom_id: string;
  readonly status: number | string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const MODEL = 'tiny-latest';
let service: TestService;
let caller: BatchCaller;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspaceId = await service.newWorkspace('unlimited');
  caller = new BatchCaller(service.url, await service.newKey(workspaceId));
});
afterEach(async () => expect(await inconsistencies(service.database.source)).toEqual([]));

const truth = (state: string) => ({ model: MODEL, state, questions: { q: { type: 'truth' } } });
const resultsOf = (text: string) =>
  text
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => parse(each) as Result);
const sum = ({ counters: c }: Batch) => c.queued + c.in_progress + c.completed + c.failed + c.expired + c.cancelled;
const ledgerRows = async (id: string) =>
  Number(
    (
      await service.database.source.query(
        `SELECT count(*) AS rows FROM ledger_entries WHERE kind = 'batch_line' AND reference LIKE $1`,
        [`${id}/%`],
      )
    )[0].rows,
  );

test('from a draft to results, with every field on the way', async () => {
  const created = await caller.create(lines(line('a', truth('one')), line('b', truth('two'))));
  expect(created.status).toBe(201);
  expect(created.headers.get('x-request-id')).toMatch(/^req_/);
  expect(created.body).toEqual({
    id: expect.stringMatching(/^batch_[0-9A-Za-z]{10}$/),
    state: 'draft',
    counters: { requests: 2, queued: 0, in_progress: 0, completed: 0, failed: 0, expired: 0, cancelled: 0 },
    created_at: expect.stringMatching(/Z$/),
    finalized_at: null,
    expires_at: null,
    ended_at: null,
    results_url: null,
    results_expire_at: null,
    price_factor: 0.5,
    usage: { input_tokens: 0, output_tokens: 0 },
    error: null,
  });
  const { id } = created.body;
  const added = await caller.call('POST', `/v1/batches/${id}/requests`, `[${line('c', truth('three'))}]`, {
    'content-type': 'application/json',
  });
  expect([added.status, added.body.counters.requests, added.body.state]).toEqual([200, 3, 'draft']);
  expect((await caller.results(id)).status).toBe(409);

  const finalized = await caller.finalize(id);
  expect(finalized.status).toBe(200);
  const { finalized_at, expires_at } = finalized.body;
  expect(Date.parse(expires_at!) - Date.parse(finalized_at!)).toBe(24 * 3_600_000);

  const ended = await caller.ended(id, (batch) => expect(sum(batch)).toBe(3));
  expect(ended).toMatchObject({
    state: 'completed',
    counters: { requests: 3, completed: 3 },
    results_url: `${service.url}/v1/batches/${id}/results`,
    error: null,
  });
  expect(Date.parse(ended.results_expire_at!) - Date.parse(ended.ended_at!)).toBe(7 * 24 * 3_600_000);

  const file = await caller.results(id);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const results = resultsOf(file.text);
  expect(results.map(({ custom_id }) => custom_id)).toEqual(['a', 'b', 'c']);
  const tokens = results.map(({ body }) => (body as { usage: { input_tokens: number } }).usage.input_tokens);
  expect(ended.usage).toEqual({ input_tokens: tokens.reduce((a, b) => a + b), output_tokens: 0 });
  expect(await ledgerRows(id)).toBe(3);
});

test('a mixed batch answers every line as the live call does, to the byte', async () => {
  const bodies = mixedBodies(1_000, MODEL);
  const ids = bodies.map((_, at) => (at % 2 ? `line-${at}` : `"${at}"\u0000é`));
  const { id } = await caller.queue(lines(...bodies.map((body, at) => line(ids[at]!, body))));
  const ended = await caller.ended(id, (batch) => expect(sum(batch)).toBe(1_000));
  const text = (await caller.results(id)).text.split('\n');
  const results = text.filter((each) => each !== '').map((each) => parse(each) as Result);
  expect(results.map(({ custom_id }) => custom_id)).toEqual(ids);
  let refusedAtUpload = 0;
  const compare = async (at: number) => {
    const live = await caller.decide(bodies[at]);
    const { status, body, headers } = results[at]!;
    expect([status, stringify(body)]).toEqual([live.status, live.text]);
    expect(text[at]).toContain(`"body":${live.text},`);
    const wanted = [...live.headers].filter(([name]) => name.startsWith('x-service-'));
    if (status === 422) {
      expect(headers).toEqual({});
      refusedAtUpload += 1;
    } else expect(headers).toEqual({ 'x-request-id': expect.stringMatching(/^req_/), ...Object.fromEntries(wanted) });
  };
  const waiting = bodies.keys();
  const ask = async () => {
    for (const at of waiting) await compare(at);
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  const completed = results.filter(({ status }) => status === 200).length;
  expect(ended.counters).toMatchObject({ completed, failed: 1_000 - completed });
  expect(refusedAtUpload).toBeGreaterThan(30);
  expect(await ledgerRows(id)).toBe(completed);
}, 300_000);

test('pages show the lines of the file', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `n${at}`);
  const { id } = await caller.queue(lines(...names.map((name) => line(name, truth(name)))));
  await caller.ended(id);
  const file = (await caller.results(id)).text.trimEnd().split('\n');
  const page = await caller.call<{ results: Result[] }>(
    'GET',
    `/v1/batches/${id}/results?format=json&offset=10&limit=10`,
  );
  expect(page.text).toBe(
    `{"results":[${file.slice(10, 20).join(',')}],"offset":10,"limit":10,"total":25,"next_offset":20}`,
  );
  const last = await caller.results(id, '?format=json&offset=20&limit=10');
  expect(last.body).toMatchObject({ results: { length: 5 }, next_offset: null });
  expect((await caller.results(id, '?format=json&offset=25')).body).toMatchObject({
    results: [],
    limit: 1_000,
    next_offset: null,
  });
  expect((await caller.results(id, '?format=json')).body).toMatchObject({ results: { length: 25 }, offset: 0 });
  for (const query of [
    '?format=csv',
    '?format=json&offset=-1',
    '?format=json&limit=0',
    '?format=json&limit=1001',
    '?format=json&limit=x',
  ])
    expect((await caller.results(id, query)).body).toMatchObject({ detail: { error_type: 'api_usage_error' } });
});

test('the file has an ETag and ranges', async () => {
  const { id } = await caller.queue(lines(line('a', truth('one')), line('b', truth('two'))));
  await caller.ended(id);
  const whole = await caller.results(id);
  const etag = whole.headers.get('etag')!;
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
  expect((await caller.results(id, '', { 'if-none-match': etag })).status).toBe(304);
  const part = await caller.results(id, '', { range: 'bytes=5-24' });
  expect([part.status, part.headers.get('content-range'), part.text]).toEqual([
    206,
    `bytes 5-24/${whole.text.length}`,
    whole.text.slice(5, 25),
  ]);
  expect((await caller.results(id, '', { range: 'bytes=5-', 'if-range': '"old"' })).text).toBe(whole.text);
});

test('cancel of a draft, of a queue, and again', async () => {
  const draft = await caller.create(lines(line('a', truth('one')), line('b', 7)));
  const cancelled = await caller.cancel(draft.body.id);
  expect(cancelled.body).toMatchObject({
    state: 'cancelled',
    counters: { requests: 2, failed: 1, cancelled: 1, queued: 0 },
  });
  expect(cancelled.body.results_url).not.toBeNull();
  expect(resultsOf((await caller.results(draft.body.id)).text)).toEqual([
    { custom_id: 'a', status: 'cancelled', body: null, headers: {} },
    { custom_id: 'b', status: 422, body: { detail: expect.any(Array) }, headers: {} },
  ]);
  expect((await caller.cancel(draft.body.id)).body).toEqual(cancelled.body);
  expect((await caller.finalize(draft.body.id)).body).toMatchObject({ detail: { error_type: 'batch_state_conflict' } });
  expect((await caller.add(draft.body.id, line('z', {}))).body).toMatchObject({
    detail: { error_type: 'batch_state_conflict' },
  });

  const many = await caller.queue(
    lines(...Array.from({ length: 400 }, (_, at) => line(`${at}`, truth(`state ${at}`)))),
  );
  const stopped = (await caller.cancel(many.id)).body;
  expect(stopped).toMatchObject({ state: 'cancelled', counters: { queued: 0, in_progress: 0, failed: 0 } });
  const { completed, cancelled: left } = stopped.counters;
  expect([completed + left, left > 0, await ledgerRows(many.id)]).toEqual([400, true, completed]);
});

test('another key, even of the same workspace, finds nothing', async () => {
  const { body } = await caller.create(lines(line('a', truth('one'))));
  const sister = new BatchCaller(service.url, await service.newKey(workspaceId));
  const answers = [
    await sister.get(body.id),
    await sister.add(body.id, line('b', {})),
    await sister.finalize(body.id),
    await sister.cancel(body.id),
    await sister.results(body.id),
    await sister.get('batch_0000000000'),
    await sister.get('nonsense'),
  ];
  for (const { status, body: refusal } of answers)
    expect([status, refusal]).toEqual([
      404,
      { detail: { error_type: 'not_found_error', message: expect.any(String) } },
    ]);
  expect((await sister.call<{ batches: Batch[] }>('GET', '/v1/batches')).body.batches).toEqual([]);
  expect((await caller.get(body.id)).body.state).toBe('draft');
});

test('lists newest first, in pages', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.unshift((await caller.create(line(name, truth(name)))).body.id);
  const page = async (query: string) => {
    const { body } = await caller.call<{ batches: Batch[]; next_offset: number | null }>('GET', `/v1/batches${query}`);
    return [body.batches.map(({ id }) => id), body.next_offset];
  };
  expect(await page('')).toEqual([ids, null]);
  expect(await page('?limit=2')).toEqual([ids.slice(0, 2), 2]);
  expect(await page('?offset=2&limit=2')).toEqual([ids.slice(2), null]);
});

test('a line whose price the credit does not cover says 402, and the balance never goes below zero', async () => {
  const poor = await service.newWorkspace('prepaid');
  const { source } = service.database;
  const key = new BatchCaller(service.url, await service.newKey(poor));
  expect((await key.create(line('a', truth('one')))).body).toMatchObject({
    detail: { error_type: 'insufficient_credit' },
  });
  await source.query(
    `WITH paid AS (UPDATE workspaces SET balance_nano = 400 WHERE id = $1 RETURNING id)
     INSERT INTO ledger_entries (workspace_id, kind, amount_nano, balance_change_nano, balance_after_nano, reference)
     SELECT id, 'top_up', 400, 400, 400, 'first' FROM paid`,
    [poor],
  );
  const { id } = await key.queue(
    lines(...Array.from({ length: 20 }, (_, at) => line(`${at}`, truth('one two three')))),
  );
  const ended = await key.ended(id);
  const { completed, failed } = ended.counters;
  expect([ended.state, completed > 0, failed > 0, completed + failed]).toEqual(['completed', true, true, 20]);
  const unpaid = resultsOf((await key.results(id)).text).filter(({ status }) => status === 402);
  expect(unpaid).toHaveLength(failed);
  expect(unpaid[0]).toMatchObject({
    body: { detail: { error_type: 'insufficient_credit' } },
    headers: { 'x-request-id': expect.any(String), 'x-service-error': expect.any(String) },
  });
  const [{ balance }] = await source.query('SELECT balance_nano AS balance FROM workspaces WHERE id = $1', [poor]);
  expect(Number(balance)).toBeGreaterThanOrEqual(0);
  expect(await ledgerRows(id)).toBe(completed);
});

test.each([
  ['not JSON', '{"custom_id":"a","body":{}}\n{', 400, 'api_usage_error', 'Line 2'],
  ['no custom_id', '{"body":{}}', 400, 'api_usage_error', 'Line 1'],
  ['a custom_id twice', lines(line('a', {}), line('b', {}), line('a', {})), 400, 'api_usage_error', 'Line 3'],
  ['a custom_id of 513 characters', line('x'.repeat(limits.customId.value + 1), {}), 400, 'api_usage_error', 'Line 1'],
  [
    '10,001 requests',
    lines(...Array.from({ length: 10_001 }, (_, at) => line(`${at}`, {}))),
    400,
    'api_usage_error',
    '10,000',
  ],
])('a create with %s leaves nothing behind', async (_, upload, status, type, text) => {
  const answer = await caller.create(upload);
  expect(answer.body).toEqual({ detail: { error_type: type, message: expect.stringContaining(text) } });
  expect(answer.status).toBe(status);
  expect((await caller.call<{ batches: Batch[] }>('GET', '/v1/batches')).body.batches).toEqual([]);
});

test('an add of 10 MiB is taken, one byte more is refused and adds nothing', async () => {
  const { id } = (await caller.create(line('first', truth('x')))).body;
  const padded = (name: string, bytes: number) => {
    const empty = line(name, { model: MODEL, state: '', questions: {} });
    return empty.replace('"state":""', `"state":"${'x'.repeat(bytes - empty.length)}"`);
  };
  const over = await caller.add(id, padded('big', limits.batchAdd.value + 1));
  expect([over.status, over.body]).toMatchObject([413, { detail: { error_type: 'request_too_large_error' } }]);
  expect((await caller.get(id)).body.counters.requests).toBe(1);
  expect((await caller.add(id, padded('big', limits.batchAdd.value))).body.counters.requests).toBe(2);
});

test('eleven creates at once leave ten batches', async () => {
  const answers = await Promise.all(Array.from({ length: 11 }, (_, at) => caller.create(line(`${at}`, truth('x')))));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ status: 429, body: { detail: { error_type: 'batch_limit_exceeded' } } });
  expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
  await caller.cancel(answers.find(({ status }) => status === 201)!.body.id);
  expect((await caller.create(line('again', truth('x')))).status).toBe(201);
});

test('a batch call counts against the rate limit', async () => {
  const answer = await caller.call('GET', '/v1/batches');
  expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBeLessThan(
    Number(answer.headers.get('x-ratelimit-limit')),
  );
});
