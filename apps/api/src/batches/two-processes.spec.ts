import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from '@assay/contract';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { issueKey } from '../access/keys/issue-key.js';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { LEASE_SECONDS } from './store/claims.js';
import { rows } from './store/sql.js';
import { BatchCaller, line, lines } from './testing/caller.js';
import { inconsistencies } from './testing/consistency.js';
import { Fleet } from './testing/fleet.js';

let database: TestDatabase;
let fleet: Fleet;
let workspaceId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  workspaceId = (await new PostgresWorkspaceStore(database.source).create({ name: 'w', billing: 'unlimited' })).id;
  const folder = mkdtempSync(join(tmpdir(), 'assay-two-'));
  writeTinyBundle(join(folder, 'models'));
  fleet = new Fleet(2, {
    ASSAY_DATA_DIR: folder,
    ASSAY_DATABASE_URL: database.url,
    ASSAY_MODELS_DIR: join(folder, 'models'),
    ASSAY_PORT: '0',
    ASSAY_THREADS: '1',
    ASSAY_REQUESTS_PER_MINUTE: '1000000',
  });
  await Promise.all([fleet.start(0), fleet.start(1)]);
}, 300_000);
afterAll(async () => {
  await fleet.stop();
  await database.close();
}, 120_000);
afterEach(async () => expect(await inconsistencies(database.source)).toEqual([]));

const newKey = async () =>
  (await issueKey(new PostgresKeyStore(database.source), { workspaceId, name: 'k', scope: 'full' })).secret;
const callers = (key: string): [BatchCaller, BatchCaller] => [fleet.caller(key, 0)!, fleet.caller(key, 1)!];
const truth = (state: string) => ({ model: 'tiny-latest', state, questions: { q: { type: 'truth' } } });
const many = (count: number) => lines(...Array.from({ length: count }, (_, at) => line(`${at}`, truth(`state ${at}`))));

test('creates and adds at once through both stay within the limits of a key', async () => {
  const both = callers(await newKey());
  const created = await Promise.all(
    Array.from({ length: 16 }, (_, at) => both[at % 2]!.create(line(`${at}`, truth('x')))),
  );
  expect(created.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(created.filter(({ status }) => status === 429)).toHaveLength(6);
  const { id } = created.find(({ status }) => status === 201)!.body;
  const parts = Array.from({ length: 6 }, (_, part) =>
    lines(...Array.from({ length: 2_000 }, (__, at) => line(`${part}-${at}`, {}))),
  );
  const added = await Promise.all(parts.map((part, at) => both[at % 2]!.add(id, part)));
  expect(added.filter(({ status }) => status === 200)).toHaveLength(4);
  expect((await both[0].get(id)).body.counters.requests).toBe(8_001);
}, 300_000);

test('both answer lines of one batch, each line once; one that is told to stop gives its lines back at once', async () => {
  const [first] = callers(await newKey());
  const { id } = await first.queue(many(200));
  const workers = new Set<string>();
  while (workers.size < 2) {
    const held = await rows<{ claimed_by: string }>(
      database.source,
      'SELECT DISTINCT claimed_by FROM batch_requests WHERE batch_id = $1 AND claimed_by IS NOT NULL',
      [id],
    );
    for (const { claimed_by } of held) workers.add(claimed_by);
    expect((await first.get(id)).body.ended_at).toBeNull();
  }
  await fleet.kill(1, 'SIGTERM');
  const held = await rows<{ claimed_by: string }>(
    database.source,
    'SELECT DISTINCT claimed_by FROM batch_requests WHERE batch_id = $1 AND claimed_by IS NOT NULL',
    [id],
  );
  expect(held.length).toBeLessThanOrEqual(1);
  const ended = await first.ended(id);
  expect(ended).toMatchObject({ state: 'completed', counters: { requests: 200, completed: 200 } });
  const found = (await first.results(id)).text.trimEnd().split('\n');
  expect(found.map((each) => (parse(each) as { custom_id: string }).custom_id)).toEqual(
    Array.from({ length: 200 }, (_, at) => `${at}`),
  );
  const again = await rows(database.source, 'SELECT 1 FROM batch_requests WHERE batch_id = $1 AND attempts > 1', [id]);
  expect([again.length, LEASE_SECONDS]).toEqual([0, 15]);
  await fleet.start(1);
}, 300_000);

test('an upload of 200 MB stays far below its size in memory', async () => {
  const [caller] = callers(await newKey());
  const resident = async () => {
    const { text } = await caller.call('GET', '/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
  };
  const filler = 'word '.repeat(8_000);
  let sent = 0;
  const upload = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === 5_000) return controller.close();
      controller.enqueue(Buffer.from(`${line(`${sent}`, truth(filler))}\n`));
      sent += 1;
    },
  });
  const idle = await resident();
  let peak = idle;
  let over = false;
  const watching = (async () => {
    for (; !over; await new Promise((resolve) => setTimeout(resolve, 50))) peak = Math.max(peak, await resident());
  })();
  const created = await caller.create(upload).finally(() => {
    over = true;
  });
  await watching;
  expect(created.body.counters.requests).toBe(5_000);
  expect((peak - idle) / 1024 ** 2).toBeLessThan(150);
  await caller.cancel(created.body.id);
}, 300_000);
