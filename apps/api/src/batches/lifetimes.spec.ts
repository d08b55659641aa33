import { parse } from '@assay/contract';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { DRAFT_TIME_MS, RETENTION_MS, RUN_TIME_MS } from './batch.js';
import { Ends } from './store/ends.js';
import { BatchCaller, line, lines } from './testing/caller.js';
import { inconsistencies } from './testing/consistency.js';
import { TestClock } from './testing/fixture.js';

const clock = new TestClock();
let service: TestService;
let caller: BatchCaller;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService({}, undefined, clock.now);
});
afterAll(() => service.close());
beforeEach(async () => {
  workspaceId = await service.newWorkspace('unlimited');
  caller = new BatchCaller(service.url, await service.newKey(workspaceId));
});
afterEach(async () => expect(await inconsistencies(service.database.source)).toEqual([]));

const truth = (state: string) => ({ model: 'tiny-latest', state, questions: { q: { type: 'truth' } } });
const many = (count: number) => lines(...Array.from({ length: count }, (_, at) => line(`${at}`, truth(`state ${at}`))));
const statuses = async (id: string) =>
  (await caller.results(id)).text
    .trimEnd()
    .split('\n')
    .map((each) => (parse(each) as { status: unknown }).status);
test('24 hours after finalize the unfinished lines are expired', async () => {
  const batch = await caller.queue(many(600));
  clock.move(RUN_TIME_MS);
  const ended = await caller.ended(batch.id);
  expect(ended).toMatchObject({ state: 'expired', counters: { queued: 0, in_progress: 0, failed: 0, cancelled: 0 } });
  const { completed, expired } = ended.counters;
  expect([completed + expired, expired > 0]).toEqual([600, true]);
  const found = await statuses(batch.id);
  expect(found.filter((status) => status === 'expired')).toHaveLength(expired);
  expect(found.filter((status) => status === 200)).toHaveLength(completed);
});

test('results are gone 7 days after the end, counters stay', async () => {
  const { id } = await caller.queue(many(3));
  const ended = await caller.ended(id);
  clock.move(RETENTION_MS - 1);
  expect((await caller.results(id)).status).toBe(200);
  clock.move(1);
  for (const query of ['', '?format=json'])
    expect(await caller.results(id, query)).toMatchObject({
      status: 410,
      body: { detail: { error_type: 'results_expired' } },
    });
  expect((await caller.get(id)).body).toEqual(ended);
});

test('a draft that nobody finalizes is cancelled after 7 days and makes room', async () => {
  const { id } = (await caller.create(many(2))).body;
  clock.move(DRAFT_TIME_MS);
  expect(await caller.ended(id)).toMatchObject({ state: 'cancelled', finalized_at: null, counters: { cancelled: 2 } });
});

test('a batch whose key was revoked is failed: what ran is kept, the rest says why', async () => {
  const { id } = await caller.queue(many(600));
  const keys = new PostgresKeyStore(service.database.source);
  const [owner] = await service.database.source.query('SELECT key_id FROM batches WHERE id = $1', [id]);
  await keys.revoke(workspaceId, owner.key_id);
  const find = () =>
    service.database.source.query('SELECT state, failure, completed, failed FROM batches WHERE id = $1', [id]);
  let [row] = await find();
  while (row.state !== 'failed') {
    await new Promise((resolve) => setTimeout(resolve, 20));
    [row] = await find();
  }
  expect(row).toMatchObject({ failure: 'The key of this batch was revoked.' });
  expect([row.completed + row.failed, row.failed > 0]).toEqual([600, true]);
});

test('a batch whose upload is gone is failed, and its lines are 500 with the reason', async () => {
  const { id } = (await caller.create(many(2))).body;
  await service.database.source.query(`UPDATE batch_uploads SET blob = 'batches/uploads/gone' WHERE batch_id = $1`, [
    id,
  ]);
  await caller.finalize(id);
  const ended = await caller.ended(id);
  const message = 'The uploaded requests of this batch are gone.';
  expect(ended).toMatchObject({
    state: 'failed',
    error: { error_type: 'batch_failed', message },
    counters: { failed: 2 },
  });
  expect(parse((await caller.results(id)).text.split('\n')[0]!)).toEqual({
    custom_id: '0',
    status: 500,
    body: { detail: { error_type: 'api_error', message: expect.any(String) } },
    headers: { 'x-service-error': message },
  });
});

test('lines of a suspended workspace say 403', async () => {
  const { id } = (await caller.create(many(2))).body;
  const { source } = service.database;
  const suspend = (suspended: boolean) =>
    source.query('UPDATE workspaces SET suspended = $2 WHERE id = $1', [workspaceId, suspended]);
  await suspend(true);
  const [{ key_id }] = await source.query('SELECT key_id FROM batches WHERE id = $1', [id]);
  await new Ends(source, clock.now).finalize(key_id, id);
  for (let state = ''; state !== 'completed'; await new Promise((resolve) => setTimeout(resolve, 20)))
    [{ state }] = await source.query('SELECT state FROM batches WHERE id = $1', [id]);
  await suspend(false);
  expect(await statuses(id)).toEqual([403, 403]);
});
