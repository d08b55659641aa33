import { afterAll, beforeAll, describe } from '@jest/globals';
import { FakeKeyStore } from '../../access/keys/key-store.fake.js';
import { PostgresKeyStore } from '../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { FakeWorkspaceStore } from '../../access/workspaces/workspace-store.fake.js';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { creditStoreContract } from './credit-store.contract.js';
import { FakeCreditStore } from './credit-store.fake.js';
import { PostgresCreditStore } from './postgres-credit-store.js';

describe('the fake', () =>
  creditStoreContract(() => {
    const workspaces = new FakeWorkspaceStore();
    return { workspaces, keys: new FakeKeyStore(workspaces), credit: new FakeCreditStore(workspaces) };
  }));

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  creditStoreContract(() => ({
    workspaces: new PostgresWorkspaceStore(database.source),
    keys: new PostgresKeyStore(database.source),
    credit: new PostgresCreditStore(database.source),
  }));
});
