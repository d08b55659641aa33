import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { CollectionsCaller, cat, hopper, image } from './testing/caller.js';

jest.setTimeout(180_000);

const MARK = 'nothing-of-this-picture-is-kept';
const COMMENT = 0xfffe;
const PART_BYTES = 24;
const LARGEST_FILE = 50_000_000;

/** A JPEG with a comment in it that is found wherever its bytes lie. */
function marked(jpeg: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(COMMENT, 0);
  header.writeUInt16BE(MARK.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), header, Buffer.from(MARK), jpeg.subarray(2)]);
}

/** Parts of the picture in every form they might be written: raw, hexadecimal, and base64 as it was sent. */
function tracesOf(picture: Buffer): string[] {
  const sent = picture.toString('base64');
  const places = [0.2, 0.5, 0.8].map((part) => Math.floor(picture.length * part));
  const parts = [Buffer.from(MARK), ...places.map((at) => picture.subarray(at, at + PART_BYTES))];
  const written = parts.flatMap((part) => [part.toString('latin1'), part.toString('hex')]);
  return [...written, ...places.map((at) => sent.slice(at, at + PART_BYTES))];
}

function* filesUnder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile() && statSync(path).size < LARGEST_FILE) yield path;
  }
}

/** What this service wrote outside its database: its own folders among the temporary files, and every file made since. */
function temporaryFiles(since: number): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(tmpdir(), { withFileTypes: true })) {
    const path = join(tmpdir(), entry.name);
    if (entry.isDirectory() && entry.name.startsWith('assay-service-'))
      for (const file of filesUnder(path)) found.set(file, readFileSync(file, 'latin1'));
    else if (entry.isFile() && statSync(path).mtimeMs >= since && statSync(path).size < LARGEST_FILE)
      found.set(path, readFileSync(path, 'latin1'));
  }
  return found;
}

async function databaseText(service: TestService): Promise<Map<string, string>> {
  const { source } = service.database;
  const tables: { name: string }[] = await source.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const dumps = new Map<string, string>();
  for (const { name } of tables) {
    const rows: { row: string }[] = await source.query(`SELECT "${name}"::text AS row FROM "${name}"`);
    dumps.set(`table ${name}`, rows.map(({ row }) => row).join('\n'));
  }
  return dumps;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function whereFound(traces: readonly string[], since: number): Promise<string[]> {
  const places = new Map([
    ...(await databaseText(service)),
    ...temporaryFiles(since),
    ['the log', service.logged.join('\n')] as const,
  ]);
  return [...places].filter(([, text]) => traces.some((trace) => text.includes(trace))).map(([place]) => place);
}

test('nothing but the template is kept of pictures that were enrolled, searched and decided with', async () => {
  const since = Date.now();
  const workspaceId = await service.newWorkspace('unlimited');
  await new PostgresWorkspaceStore(service.database.source).update(workspaceId, { zeroRetention: true });
  const caller = new CollectionsCaller(service.url, await service.newKey(workspaceId));
  const picture = marked(hopper);
  const collection = await caller.collection();

  const upload = await caller.upload(picture);
  expect(await whereFound(tracesOf(picture), since)).toHaveLength(1);
  expect((await caller.enroll(collection, picture, { image: { upload_id: upload } })).status).toBe(201);
  expect((await caller.enroll(collection, picture, {}, { 'idempotency-key': 'sent again' })).status).toBe(201);
  expect((await caller.enroll(collection, marked(cat), {}, { 'idempotency-key': 'no face' })).status).toBe(422);
  expect((await caller.enroll(collection, picture.subarray(0, 20_000))).status).toBe(422);
  expect((await caller.search(collection, picture)).status).toBe(200);
  const decided = await caller.call('POST', '/decide', {
    model: 'tiny-latest',
    images: [image(picture, 'photo')],
    collections: [collection],
    questions: { faces: { type: 'number', instructions: 'How many faces are there?', min: 0, max: 5 } },
  });
  expect(decided.status).toBe(200);

  expect(await whereFound([...tracesOf(picture), ...tracesOf(marked(cat))], since)).toEqual([]);
  const [{ bytes }] = await service.database.source.query('SELECT sum(length(template))::int AS bytes FROM face_items');
  expect(bytes).toBe(2 * 128);
});
