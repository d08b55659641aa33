import { afterAll, beforeAll, describe } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { PostgresWorkspaceStore } from '../workspaces/postgres-workspace-store.js';
import { FakeWorkspaceStore } from '../workspaces/workspace-store.fake.js';
import { keyStoreContract } from './key-store.contract.js';
import { FakeKeyStore } from './key-store.fake.js';
import { PostgresKeyStore } from './postgres-key-store.js';

describe('the fake', () =>
  keyStoreContract(() => {
    const workspaces = new FakeWorkspaceStore();
    return { workspaces, keys: new FakeKeyStore(workspaces) };
  }));

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  keyStoreContract(() => ({
    workspaces: new PostgresWorkspaceStore(database.source),
    keys: new PostgresKeyStore(database.source),
  }));
});
