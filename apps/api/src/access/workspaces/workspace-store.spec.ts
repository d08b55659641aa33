import { afterAll, beforeAll, describe } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { PostgresWorkspaceStore } from './postgres-workspace-store.js';
import { workspaceStoreContract } from './workspace-store.contract.js';
import { FakeWorkspaceStore } from './workspace-store.fake.js';

describe('the fake', () => workspaceStoreContract(() => new FakeWorkspaceStore()));

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  workspaceStoreContract(() => new PostgresWorkspaceStore(database.source));
});
