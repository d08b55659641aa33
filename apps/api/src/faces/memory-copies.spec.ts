import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import type { FaceCollection } from './collection.js';
import { CollectionStore } from './collection-store.js';
import { FaceMatching } from './face-matching.js';
import { ItemStore } from './item-store.js';
import { MemoryCopies } from './memory-copies.js';

const MODEL = 'faces-1';
/** More than are loaded by two statements. */
const MANY = 41_000;

let database: TestDatabase;
let collections: CollectionStore;
let items: ItemStore;
let workspaceId: string;
const opened: MemoryCopies[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  const now = () => new Date();
  collections = new CollectionStore(database.source, now);
  items = new ItemStore(database.source, now);
  workspaceId = (await new PostgresWorkspaceStore(database.source).create({ name: 'faces', billing: 'unlimited' })).id;
});
afterEach(async () => {
  for (const copies of opened.splice(0)) await copies.close();
});
afterAll(() => database.close());

/** What a process of its own would have. */
function newProcess(): { copies: MemoryCopies; matching: FaceMatching } {
  const copies = new MemoryCopies(database.source);
  opened.push(copies);
  return { copies, matching: new FaceMatching(copies, items) };
}

/** The template of the item with this number; the database makes the same. */
const templateOf = (number: number): Float32Array => {
  const part = createHash('md5').update(String(number)).digest();
  return Float32Array.from(new Int8Array(Buffer.concat(Array.from({ length: 8 }, () => part))));
};

async function filled(count: number): Promise<FaceCollection> {
  const { id } = await collections.create(workspaceId, 'many', null);
  await database.source.query(
    `INSERT INTO face_items (id, collection_id, change, reference, metadata, faces_found, box, template, face_model,
       price_nano, created_at)
     SELECT 'itm_' || $1 || n, $1, n, 'n:' || n, '{}', 1, '{"x1":0,"y1":0,"x2":9,"y2":9}',
       decode(repeat(md5(n::text), 8), 'hex'), $2, 0, now() FROM generate_series(1, $3::int) AS n`,
    [id, MODEL, count],
  );
  await database.source.query('UPDATE face_collections SET items = $2::int, changes = $2::int WHERE id = $1', [
    id,
    count,
  ]);
  await database.source.query(
    'INSERT INTO face_counts (workspace_id, items) VALUES ($1, $2) ON CONFLICT (workspace_id) DO UPDATE SET items = face_counts.items + $2',
    [workspaceId, count],
  );
  return (await collections.find(workspaceId, id))!;
}

async function found(
  matching: FaceMatching,
  collection: FaceCollection,
  numbers: readonly number[],
  faceModel = MODEL,
) {
  const rules = { limit: 1, least: 0.999_999, faceModel };
  const matches = await matching.match([collection], numbers.map(templateOf), rules);
  return matches.map((each) => each.map(({ item }) => item.reference));
}

test('a large collection is taken over whole, page by page', async () => {
  const collection = await filled(MANY);
  const { matching } = newProcess();
  const numbers = [1, 20_000, 20_001, 40_000, 40_001, MANY];
  expect(await found(matching, collection, numbers)).toEqual(numbers.map((number) => [`n:${number}`]));
});

test('searches at once take it over once', async () => {
  const collection = await filled(500);
  const { matching, copies } = newProcess();
  await Promise.all(Array.from({ length: 8 }, () => found(matching, collection, [1])));
  const { thread, set } = await copies.upToDate(collection, MODEL);
  expect(await thread.measure(set)).toMatchObject({ size: 500 });
});

test('what is removed leaves the memory of every process before its next search', async () => {
  const collection = await filled(3);
  const processes = [newProcess(), newProcess()];
  for (const { matching } of processes) expect(await found(matching, collection, [2])).toEqual([['n:2']]);
  expect(await items.remove(workspaceId, collection.id, `itm_${collection.id}2`)).toBe(true);
  for (const { matching, copies } of processes) {
    expect(await found(matching, collection, [1, 2, 3])).toEqual([['n:1'], [], ['n:3']]);
    const { thread, set } = await copies.upToDate(collection, MODEL);
    expect(await thread.measure(set)).toMatchObject({ size: 2 });
  }
});

test('two that remove one item at once count it once', async () => {
  const collection = await filled(3);
  const id = `itm_${collection.id}2`;
  const outcomes = await Promise.all([1, 2, 3].map(() => items.remove(workspaceId, collection.id, id)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await collections.find(workspaceId, collection.id)).toMatchObject({ items: 2 });
});

test('a deleted collection leaves nothing, and its items no longer count', async () => {
  const before = await items.count(workspaceId);
  const collection = await filled(4);
  const { matching } = newProcess();
  expect(await found(matching, collection, [4])).toEqual([['n:4']]);
  expect(await items.count(workspaceId)).toBe(before + 4);
  expect(await collections.remove(workspaceId, collection.id)).toBe(true);
  expect(await found(matching, collection, [4])).toEqual([[]]);
  expect(await items.count(workspaceId)).toBe(before);
});

test('templates of another model are not compared', async () => {
  const collection = await filled(2);
  expect(await found(newProcess().matching, collection, [1], 'faces-2')).toEqual([[]]);
});

test('when the thread is gone, the copy is made anew', async () => {
  const collection = await filled(2);
  const { matching, copies } = newProcess();
  expect(await found(matching, collection, [1])).toEqual([['n:1']]);
  await copies.close();
  expect(await found(matching, collection, [2])).toEqual([['n:2']]);
});
