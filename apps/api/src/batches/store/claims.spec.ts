import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import type { BatchRecord } from '../batch.js';
import { inconsistencies } from '../testing/consistency.js';
import { announced, names, newOwner, SMALL, TestClock } from '../testing/fixture.js';
import { type ClaimedLine, Claims, MOST_ATTEMPTS } from './claims.js';
import { Drafts, type Owner } from './drafts.js';
import { Ends } from './ends.js';
import { Reading } from './reading.js';
import { type Price, Recording } from './recording.js';

let database: TestDatabase;
let owner: Owner;
const clock = new TestClock();

beforeAll(async () => {
  database = await openTestDatabase(20);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.source.query('TRUNCATE batch_requests, batch_uploads, batches');
  owner = await newOwner(database.source);
});
afterEach(async () => expect(await inconsistencies(database.source)).toEqual([]));

async function queued(count: number, of: Owner = owner): Promise<string> {
  const drafts = new Drafts(
    database.source,
    { ...SMALL, requestsPerBatch: 1_000, activeRequestsPerKey: 10_000 },
    clock.now,
  );
  const batch = await drafts.create(of, await announced(database.source, names(count)));
  await new Ends(database.source, clock.now).finalize(of.keyId, batch.id);
  return batch.id;
}

const charge = async (sql: EntityManager, batch: BatchRecord, line: ClaimedLine, price: Price) => {
  const credit = new PostgresCreditStore(sql);
  const { workspaceId, keyId } = batch;
  const reference = `${batch.id}/${line.position}`;
  return (await credit.charge({ workspaceId, keyId, kind: 'batch_line', reference, ...price })) === 'charged';
};
const worker = (name: string) => ({
  claims: new Claims(database.source, name, clock.now),
  recording: new Recording(database.source, name, charge, () => '"status":402'),
});
const price = { model: 'tiny-1.0', tokens: 3, amountNano: 30n };
const answer = (line: ClaimedLine) => ({ line, result: `"status":200,"position":${line.position}`, price });
const lapse = () =>
  database.source.query(
    `UPDATE batch_requests r SET lease_until = now() - interval '1 second' FROM (
       SELECT batch_id, position FROM batch_requests WHERE state = 'running' FOR UPDATE SKIP LOCKED
     ) held WHERE r.batch_id = held.batch_id AND r.position = held.position`,
  );
const find = async (id: string) => (await new Reading(database.source).find(owner.keyId, id))!;

test('two workers at once share a batch and every line is recorded once', async () => {
  const id = await queued(200);
  const seen: number[] = [];
  const run = async (name: string) => {
    const { claims, recording } = worker(name);
    for (let claim = await claims.claim(7); claim; claim = await claims.claim(7)) {
      seen.push(...claim.lines.map((line) => line.position));
      await recording.record(claim.lines.map(answer));
    }
  };
  await Promise.all([run('a'), run('b'), run('c'), run('d')]);
  expect(seen.sort((a, b) => a - b)).toEqual(names(200).map((_, at) => at));
  expect(await find(id)).toMatchObject({ state: 'running', completed: 200, inProgress: 0, inputTokens: 600 });
});

test('lines come in upload order, in groups, and make the batch running', async () => {
  const id = await queued(5);
  const { claims } = worker('a');
  expect(await find(id)).toMatchObject({ state: 'queued', inProgress: 0 });
  expect((await claims.claim(3))!.lines.map((line) => line.position)).toEqual([0, 1, 2]);
  expect(await find(id)).toMatchObject({ state: 'running', inProgress: 3 });
  expect((await claims.claim(3))!.lines.map((line) => line.position)).toEqual([3, 4]);
  expect(await claims.claim(3)).toBeUndefined();
});

test('a lapsed lease hands the line on, behind the fresh ones, and its first worker is too late', async () => {
  const id = await queued(3);
  const [slow, quick] = [worker('slow'), worker('quick')];
  const [first] = (await slow.claims.claim(1))!.lines;
  await lapse();
  await quick.claims.reap();
  expect(await find(id)).toMatchObject({ inProgress: 0 });
  const again = (await quick.claims.claim(3))!.lines;
  expect(again.find((line) => line.position === 0)).toMatchObject({ attempt: 2 });
  await slow.recording.record([answer(first!)]);
  expect(await find(id)).toMatchObject({ completed: 0, inProgress: 3 });
  await quick.recording.record(again.map(answer));
  await quick.recording.record(again.map(answer));
  expect(await find(id)).toMatchObject({ completed: 3, inputTokens: 9 });
});

test('a renewed lease is kept, a released line is free at once', async () => {
  const id = await queued(2);
  const [a, b] = [worker('a'), worker('b')];
  const held = (await a.claims.claim(2))!.lines;
  await lapse();
  await a.claims.renew();
  await b.claims.reap();
  expect(await find(id)).toMatchObject({ inProgress: 2 });
  await a.claims.release(held.slice(1));
  expect((await b.claims.claim(2))!.lines.map((line) => line.position)).toEqual([1]);
});

test('a line that takes every worker down ends as failed', async () => {
  const id = await queued(1);
  const { claims } = worker('a');
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    expect((await claims.claim(1))!.lines[0]).toMatchObject({ attempt });
    await lapse();
    await claims.reap();
  }
  expect(await claims.claim(1)).toBeUndefined();
  expect(await find(id)).toMatchObject({ failed: 1, inProgress: 0, completed: 0 });
});

test('giving a line back is no failed attempt', async () => {
  const id = await queued(1);
  const { claims, recording } = worker('a');
  for (let turn = 0; turn < 2 * MOST_ATTEMPTS; turn += 1) await claims.release((await claims.claim(1))!.lines);
  await recording.record((await claims.claim(1))!.lines.map(answer));
  expect(await find(id)).toMatchObject({ completed: 1 });
});

test('keys take turns, and so do the batches of one key', async () => {
  const busy = [await queued(10), await queued(10)];
  const other = await newOwner(database.source);
  const single = await queued(10, other);
  const { claims } = worker('a');
  const turns: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) turns.push((await claims.claim(1))!.batch.id);
  expect(turns).toEqual([busy[0], single, busy[1], single, busy[0], single]);
});

test('what is over its time is not claimed any more', async () => {
  await queued(1);
  clock.move(24 * 3_600_000);
  expect(await worker('a').claims.claim(1)).toBeUndefined();
});

test('an answer that the credit does not cover becomes a 402 line and costs nothing', async () => {
  const id = await queued(3);
  await database.source.query(`UPDATE workspaces SET billing = 'prepaid' WHERE id = $1`, [owner.workspaceId]);
  await new PostgresCreditStore(database.source).grant({
    workspaceId: owner.workspaceId,
    kind: 'top_up',
    amountNano: 65n,
    reference: 'top-up',
  });
  const { claims, recording } = worker('a');
  await recording.record((await claims.claim(3))!.lines.map(answer));
  expect(await find(id)).toMatchObject({ completed: 2, failed: 1, inputTokens: 6 });
  const lines = await new Reading(database.source).lines(id, -1, 10);
  expect(lines.map((line) => line.result)).toContain('"status":402');
});

test('whatever happens at once, a reader never sees counts that do not add up', async () => {
  const ids = [await queued(60), await queued(60), await queued(60)];
  const ends = new Ends(database.source, clock.now);
  let over = false;
  const run = async (name: string) => {
    const { claims, recording } = worker(name);
    for (let turn = 0; turn < 12; turn += 1) {
      const lines = (await claims.claim(9))?.lines ?? [];
      if (turn % 4 === 1) await claims.release(lines);
      else if (turn % 4 === 2) await lapse().then(() => claims.reap());
      else await recording.record(lines.map(answer));
      await claims.renew();
    }
  };
  const disturb = async () => {
    await pause(30);
    await ends.cancel(owner.keyId, ids[0]!);
    await ends.fail(ids[1]!, 'gone');
  };
  const watch = async () => {
    let looks = 0;
    for (; !over; looks += 1) expect(await inconsistencies(database.source)).toEqual([]);
    return looks;
  };
  const watching = watch();
  await Promise.all([run('a'), run('b'), run('c'), disturb()]).finally(() => {
    over = true;
  });
  expect(await watching).toBeGreaterThan(5);
});
