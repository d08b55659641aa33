import { afterAll, beforeAll, describe } from '@jest/globals';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { FakeWorkspaceStore } from '../../access/workspaces/workspace-store.fake.js';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { PostgresUploadStore } from './postgres-upload-store.js';
import { uploadStoreContract } from './upload-store.contract.js';
import { FakeUploadStore } from './upload-store.fake.js';

describe('the fake', () => {
  const workspaces = new FakeWorkspaceStore();
  uploadStoreContract(() => ({
    store: new FakeUploadStore(),
    newWorkspace: async () => (await workspaces.create({ name: 'test', billing: 'unlimited' })).id,
  }));
});

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  uploadStoreContract(() => ({
    store: new PostgresUploadStore(database.source),
    newWorkspace: async () =>
      (await new PostgresWorkspaceStore(database.source).create({ name: 'test', billing: 'unlimited' })).id,
  }));
});
