import { FakeBlobStore } from '../../storage/blobs/blob-store.fake.js';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { RETENTION_MS } from '../batch.js';
import { resultsName } from '../results/blob-names.js';
import { Claims } from '../store/claims.js';
import { Drafts, type Owner } from '../store/drafts.js';
import { Ends } from '../store/ends.js';
import { Reading } from '../store/reading.js';
import { Uploads } from '../store/uploads.js';
import { announced, newOwner, SMALL, TestClock, uploadedLine } from '../testing/fixture.js';
import { Housekeeping } from './housekeeping.js';

let database: TestDatabase;
let owner: Owner;
let clock: TestClock;
let blobs: FakeBlobStore;
let housekeeping: Housekeeping;
let ends: Ends;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { source } = database;
  await source.query('TRUNCATE batch_requests, batch_uploads, batches');
  owner = await newOwner(source);
  clock = new TestClock();
  blobs = new FakeBlobStore();
  ends = new Ends(source, clock.now);
  housekeeping = new Housekeeping({
    ends,
    blobs,
    claims: new Claims(source, 'w', clock.now),
    reading: new Reading(source),
    uploads: new Uploads(source, clock.now),
  });
});

const stored = async () => {
  const found: string[] = [];
  for await (const { name } of blobs.list('')) found.push(name);
  return found.sort();
};
async function* text(content: string): AsyncIterable<Buffer> {
  yield Buffer.from(content);
}

/** A draft of two lines, one refused, whose upload is stored. */
async function draft(): Promise<{ id: string; blob: string }> {
  const lines = [uploadedLine('a'), uploadedLine('__proto__', '"status":422,"body":{},"headers":{}')];
  const upload = await announced(database.source, [], { lines, bytes: 20 });
  await blobs.put(upload.blob, text('lines'));
  const { id } = await new Drafts(database.source, SMALL, clock.now).create(owner, upload);
  return { id, blob: upload.blob };
}

test('the result file of an ended batch appears, and its upload goes', async () => {
  const { id, blob } = await draft();
  await housekeeping.finish();
  await housekeeping.sweep();
  expect(await stored()).toEqual([blob]);
  await ends.cancel(owner.keyId, id);
  await housekeeping.finish(id);
  await housekeeping.sweep();
  expect(await stored()).toEqual([resultsName(id)]);
  const content = await (await blobs.get(resultsName(id)))!.toArray();
  expect(Buffer.concat(content).toString()).toBe(
    '{"custom_id":"a","status":"cancelled","body":null,"headers":{}}\n{"custom_id":"__proto__","status":422,"body":{},"headers":{}}\n',
  );
  const batch = (await new Reading(database.source).find(owner.keyId, id))!;
  expect(batch).toMatchObject({ state: 'cancelled', resultsBytes: Buffer.concat(content).length });
  expect(await new Reading(database.source).resultOffsets(id, 0, 2)).toEqual([0, 64, Buffer.concat(content).length]);
});

test('results are deleted after their time, an upload without a batch after a day', async () => {
  const { id } = await draft();
  await ends.cancel(owner.keyId, id);
  await housekeeping.finish();
  const lost = await announced(database.source, []);
  await blobs.put(lost.blob, text('cut off'));
  await database.source.query('UPDATE batch_uploads SET started_at = $1 WHERE batch_id IS NULL', [clock.now()]);
  await housekeeping.sweep();
  expect(await stored()).toEqual([resultsName(id), lost.blob].sort());
  clock.move(24 * 3_600_000 + 1);
  await housekeeping.sweep();
  expect(await stored()).toEqual([resultsName(id)]);
  clock.move(RETENTION_MS);
  await housekeeping.sweep();
  expect(await stored()).toEqual([]);
});

test('a result file that cannot be written leaves the batch to the next one who tries', async () => {
  const { id } = await draft();
  await ends.cancel(owner.keyId, id);
  const full = new Error('no space');
  const put = blobs.put.bind(blobs);
  blobs.put = () => Promise.reject(full);
  await expect(housekeeping.finish()).rejects.toBe(full);
  expect((await new Reading(database.source).find(owner.keyId, id))!.endedAt).toBeNull();
  blobs.put = put;
  await housekeeping.finish();
  expect((await new Reading(database.source).find(owner.keyId, id))!.state).toBe('cancelled');
});
