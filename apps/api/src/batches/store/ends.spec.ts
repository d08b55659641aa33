import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { DRAFT_TIME_MS, RETENTION_MS, RUN_TIME_MS } from '../batch.js';
import { inconsistencies } from '../testing/consistency.js';
import { announced, names, newOwner, SMALL, TestClock, uploadedLine } from '../testing/fixture.js';
import { Claims } from './claims.js';
import { Drafts, type Owner } from './drafts.js';
import { Ends } from './ends.js';
import { Reading } from './reading.js';
import { Recording } from './recording.js';

let database: TestDatabase;
let owner: Owner;
let clock: TestClock;
let ends: Ends;
const file = { bytes: 7, etag: 'abc', index: Buffer.alloc(8) };

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.source.query('TRUNCATE batch_requests, batch_uploads, batches');
  owner = await newOwner(database.source);
  clock = new TestClock();
  ends = new Ends(database.source, clock.now);
});
afterEach(async () => expect(await inconsistencies(database.source)).toEqual([]));

async function draft(count: number): Promise<string> {
  const drafts = new Drafts(database.source, SMALL, clock.now);
  const lines = [...names(count).map((name) => uploadedLine(name)), uploadedLine('refused', '"status":422')];
  return (await drafts.create(owner, await announced(database.source, [], { lines }))).id;
}
async function queued(count: number): Promise<string> {
  const id = await draft(count);
  await ends.finalize(owner.keyId, id);
  return id;
}
const find = async (id: string) => (await new Reading(database.source).find(owner.keyId, id))!;
const claims = () => new Claims(database.source, 'w', clock.now);
const recording = () =>
  new Recording(
    database.source,
    'w',
    async () => true,
    () => '"status":402',
  );
const failedAnswer = (line: Parameters<Recording['record']>[0][number]['line']) => ({ line, result: '"status":400' });

test('finalize starts the 24 hours, once', async () => {
  const id = await draft(2);
  const batch = await ends.finalize(owner.keyId, id);
  expect(batch).toMatchObject({ state: 'queued', finalizedAt: clock.now(), failed: 1 });
  expect((await find(id)).expiresAt).toEqual(new Date(clock.now().getTime() + RUN_TIME_MS));
  clock.move(5);
  expect(await ends.finalize(owner.keyId, id)).toEqual(batch);
  expect(await ends.finalize((await newOwner(database.source, owner.workspaceId)).keyId, id)).toBe('not_found');
});

test('neither an empty nor a cancelled draft can be finalized', async () => {
  const drafts = new Drafts(database.source, SMALL, clock.now);
  const empty = await drafts.create(owner, await announced(database.source, []));
  expect(await ends.finalize(owner.keyId, empty.id)).toBe('empty');
  await ends.cancel(owner.keyId, empty.id);
  expect(await ends.finalize(owner.keyId, empty.id)).toBe('conflict');
});

test('a batch is to be finished when every line has a result, and has ended when its file is there', async () => {
  const id = await queued(2);
  expect(await ends.toFinish()).toBeUndefined();
  const { lines } = (await claims().claim(5))!;
  await recording().record(lines.slice(1).map(failedAnswer));
  expect(await ends.toFinish()).toBeUndefined();
  await recording().record(lines.slice(0, 1).map(failedAnswer));
  expect(await find(id)).toMatchObject({ state: 'running', endedAt: null });
  expect(await ends.toFinish()).toMatchObject({ id });
  expect(await ends.toFinish()).toBeUndefined();
  await ends.finish(id, file);
  expect(await find(id)).toMatchObject({ state: 'completed', failed: 3, endedAt: clock.now(), resultsBytes: 7 });
  clock.move(1);
  await ends.finish(id, { ...file, bytes: 8 });
  expect(await find(id)).toMatchObject({ resultsBytes: 7 });
});

test('cancel takes what has not started; what runs finishes first', async () => {
  const id = await queued(5);
  const { lines } = (await claims().claim(2))!;
  expect(await ends.cancel(owner.keyId, id)).toMatchObject({
    state: 'running',
    inProgress: 2,
    cancelled: 3,
    failed: 1,
  });
  expect(await ends.toFinish(id)).toBeUndefined();
  expect(await claims().claim(5)).toBeUndefined();
  await recording().record(lines.map(failedAnswer));
  expect(await ends.toFinish(id)).toMatchObject({ id });
  await ends.finish(id, file);
  expect(await find(id)).toMatchObject({ state: 'cancelled', failed: 3, cancelled: 3 });
  expect(await ends.cancel(owner.keyId, id)).toMatchObject({ state: 'cancelled', cancelled: 3 });
});

test('a line given back by its worker after the cancel is cancelled', async () => {
  const id = await queued(2);
  const { lines } = (await claims().claim(2))!;
  await ends.cancel(owner.keyId, id);
  await claims().release(lines);
  expect(await find(id)).toMatchObject({ inProgress: 0, cancelled: 2, failed: 1 });
});

test('a draft can be cancelled, and one that is forgotten is', async () => {
  const [used, forgotten] = [await draft(2), await draft(2)];
  await ends.cancel(owner.keyId, used);
  await ends.finish(used, file);
  expect(await find(used)).toMatchObject({ state: 'cancelled', cancelled: 2, failed: 1, finalizedAt: null });
  clock.move(DRAFT_TIME_MS - 1);
  await ends.expire();
  expect(await ends.toFinish()).toBeUndefined();
  clock.move(1);
  await ends.expire();
  expect(await ends.toFinish()).toMatchObject({ id: forgotten, ending: 'cancelled' });
});

test('after 24 hours what is not finished is expired, running or not', async () => {
  const id = await queued(4);
  const { lines } = (await claims().claim(2))!;
  await recording().record(lines.slice(0, 1).map(failedAnswer));
  clock.move(RUN_TIME_MS - 1);
  await ends.expire();
  expect(await find(id)).toMatchObject({ inProgress: 1, expired: 0 });
  clock.move(1);
  await ends.expire();
  expect(await find(id)).toMatchObject({ inProgress: 0, expired: 3, failed: 2 });
  await recording().record(lines.slice(1).map(failedAnswer));
  expect(await find(id)).toMatchObject({ expired: 3, failed: 2 });
  await ends.finish(id, file);
  expect(await find(id)).toMatchObject({ state: 'expired' });
});

test('a batch that got its last result before the cut-off is completed after it', async () => {
  const id = await queued(1);
  await recording().record((await claims().claim(1))!.lines.map(failedAnswer));
  clock.move(RUN_TIME_MS);
  await ends.expire();
  await ends.cancel(owner.keyId, id);
  await ends.finish((await ends.toFinish())!.id, file);
  expect(await find(id)).toMatchObject({ state: 'completed' });
});

test('a failed batch keeps what was finished and says why', async () => {
  const id = await queued(3);
  const { lines } = (await claims().claim(2))!;
  await recording().record(lines.slice(0, 1).map(failedAnswer));
  await ends.fail(id, 'its upload is gone');
  await ends.fail(id, 'another reason');
  await ends.finish(id, file);
  expect(await find(id)).toMatchObject({ state: 'failed', failure: 'its upload is gone', failed: 4, inProgress: 0 });
});

test('results are due for deletion seven days after the end; counters stay', async () => {
  const id = await queued(1);
  await ends.cancel(owner.keyId, id);
  await ends.finish(id, file);
  clock.move(RETENTION_MS - 1);
  expect(await ends.outlived()).toEqual([]);
  clock.move(1);
  expect(await ends.outlived()).toEqual([id]);
  await ends.forget(id);
  expect(await ends.outlived()).toEqual([]);
  expect(await new Reading(database.source).lines(id, -1, 10)).toEqual([]);
  expect(await find(id)).toMatchObject({ state: 'cancelled', requests: 2, cancelled: 1, failed: 1 });
});
