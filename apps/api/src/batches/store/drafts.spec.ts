import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { announced, names, newOwner, SMALL, TestClock, uploadedLine } from '../testing/fixture.js';
import { DraftRefused, Drafts, type Owner } from './drafts.js';
import { Ends } from './ends.js';
import { Reading } from './reading.js';
import { rows } from './sql.js';

let database: TestDatabase;
let drafts: Drafts;
let owner: Owner;
const clock = new TestClock();

beforeAll(async () => {
  database = await openTestDatabase(20);
  drafts = new Drafts(database.source, SMALL, clock.now);
});
afterAll(() => database.close());
beforeEach(async () => {
  owner = await newOwner(database.source);
});

const create = async (count: number, prefix?: string) =>
  drafts.create(owner, await announced(database.source, names(count, prefix)));
const problemOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DraftRefused) return error.line === undefined ? error.problem : `${error.problem}:${error.line}`;
  if (error) throw error;
  return 'applied';
};
const kept = async (id: string) =>
  (
    await rows<{ custom_id: string }>(
      database.source,
      'SELECT custom_id FROM batch_requests WHERE batch_id = $1 ORDER BY position',
      [id],
    )
  ).map((row) => JSON.parse(row.custom_id) as string);

test('a draft takes lines in upload order over several calls', async () => {
  const odd = ['__proto__', '10', '\u0000', '\ud800', '"\\', 'é'.repeat(512)];
  const batch = await create(3);
  expect(batch.id).toMatch(/^batch_[0-9A-Za-z]{10}$/);
  const added = await drafts.add(owner, batch.id, await announced(database.source, odd));
  expect(added).toMatchObject({ state: 'draft', requests: 9, uploadedBytes: 90, finalizedAt: null, expiresAt: null });
  expect(await kept(batch.id)).toEqual([...names(3), ...odd]);
});

test.each([
  [50, 0, 'applied'],
  [51, 0, 'too_many_requests'],
  [49, 1, 'applied'],
  [49, 2, 'too_many_requests'],
])('of %i lines and %i more the answer is %s', async (first, second, expected) => {
  const made = await problemOf(create(first));
  if (second === 0) return expect(made).toBe(expected);
  const [batch] = await new Reading(database.source).list(owner.keyId, { offset: 0, limit: 1 });
  const upload = await announced(database.source, names(second, 'more'));
  expect(await problemOf(drafts.add(owner, batch!.id, upload))).toBe(expected);
  expect(await kept(batch!.id)).toHaveLength(expected === 'applied' ? first + second : first);
});

test('counts the bytes of all calls', async () => {
  const batch = await drafts.create(owner, await announced(database.source, ['a'], { bytes: 4_999 }));
  const tooMuch = await announced(database.source, ['b'], { bytes: 2 });
  expect(await problemOf(drafts.add(owner, batch.id, tooMuch))).toBe('too_many_bytes');
  expect(await problemOf(drafts.add(owner, batch.id, { ...tooMuch, bytes: 1 }))).toBe('applied');
});

test('names the line of a repeated id and adds nothing', async () => {
  const batch = await create(3);
  const repeated = await announced(database.source, ['new', 'line-2', 'line-0']);
  expect(await problemOf(drafts.add(owner, batch.id, repeated))).toBe('repeated_custom_id:2');
  expect(await kept(batch.id)).toEqual(names(3));
});

test('only its key may add, and only to a draft', async () => {
  const batch = await create(1);
  const sister = await newOwner(database.source, owner.workspaceId);
  const upload = await announced(database.source, ['more']);
  expect(await problemOf(drafts.add(sister, batch.id, upload))).toBe('not_found');
  expect(await problemOf(drafts.add(owner, 'batch_0000000000', upload))).toBe('not_found');
  await new Ends(database.source, clock.now).finalize(owner.keyId, batch.id);
  expect(await problemOf(drafts.add(owner, batch.id, upload))).toBe('not_a_draft');
  expect(await problemOf(drafts.precheck(owner, batch.id))).toBe('not_a_draft');
});

test('ten creates at once leave as many batches as the key may have', async () => {
  const outcomes = await Promise.all(Array.from({ length: 10 }, (_, at) => problemOf(create(1, `c${at}`))));
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(SMALL.activeBatchesPerKey);
  expect(outcomes.filter((outcome) => outcome === 'too_many_active_batches')).toHaveLength(6);
  expect(await problemOf(drafts.precheck(owner))).toBe('too_many_active_batches');
});

test('adds at once to several drafts stay within the requests of a key', async () => {
  const batches = await Promise.all([create(1), create(1), create(1)]);
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const upload = await announced(database.source, names(4, `a${at}`));
      return problemOf(drafts.add(owner, batches[at % 3]!.id, upload));
    }),
  );
  // 3 lines are there, 24 calls of 4 fit below 100; a draft of 50 lines is not filled by any of them.
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(24);
  const all = await new Reading(database.source).list(owner.keyId, { offset: 0, limit: 10 });
  expect(all.reduce((sum, batch) => sum + batch.requests, 0)).toBe(99);
});

test('an ended batch makes room', async () => {
  const made = [await create(1), await create(1), await create(1), await create(1)];
  expect(await problemOf(create(1))).toBe('too_many_active_batches');
  const ends = new Ends(database.source, clock.now);
  await ends.cancel(owner.keyId, made[0]!.id);
  await ends.finish(made[0]!.id, { bytes: 0, etag: 'x', index: Buffer.alloc(0) });
  expect(await problemOf(create(1))).toBe('applied');
});

test('a refused line is kept with its refusal and counted from finalize on', async () => {
  const lines = [uploadedLine('good'), uploadedLine('bad', '"status":422')];
  const batch = await drafts.create(owner, await announced(database.source, [], { lines, bytes: 20 }));
  expect(batch).toMatchObject({ requests: 2, refused: 1, failed: 0 });
  const queued = await new Ends(database.source, clock.now).finalize(owner.keyId, batch.id);
  expect(queued).toMatchObject({ state: 'queued', requests: 2, failed: 1 });
});
