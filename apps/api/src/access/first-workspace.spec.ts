import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '../storage/database/data-source.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { Authenticator } from './authenticator.js';
import { ensureFirstWorkspace } from './first-workspace.js';
import { PostgresKeyStore } from './keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from './workspaces/postgres-workspace-store.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('is made once, and its key is told once, however many start at once', async () => {
  const others = await Promise.all([1, 2].map(() => createDataSource(database.address, { poolSize: 2 }).initialize()));
  const made = await Promise.all([database.source, ...others].map((source) => ensureFirstWorkspace(source)));
  await Promise.all(others.map((source) => source.destroy()));

  const [first, ...more] = made.filter((result) => result !== undefined);
  expect(more).toEqual([]);
  expect(await new PostgresWorkspaceStore(database.source).list({ offset: 0, limit: 10 })).toHaveLength(1);
  const caller = await new Authenticator(new PostgresKeyStore(database.source)).authenticate(first?.secret ?? '');
  expect(caller).toMatchObject({ key: { scope: 'full' }, workspace: { id: first?.workspace.id } });
  expect(await ensureFirstWorkspace(database.source)).toBeUndefined();
});
