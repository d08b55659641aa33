import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { idempotencyStoreContract } from './idempotency-store.contract.js';
import { FakeIdempotencyStore } from './idempotency-store.fake.js';
import { PostgresIdempotencyStore } from './postgres-idempotency-store.js';

describe('the fake', () =>
  idempotencyStoreContract(async (now) => {
    return { store: new FakeIdempotencyStore(now), workspaceId: 'one', otherWorkspaceId: 'other' };
  }));

describe('PostgreSQL', () => {
  let database: TestDatabase;
  const newWorkspace = async () => {
    return (await new PostgresWorkspaceStore(database.source).create({ name: 'acme', billing: 'unlimited' })).id;
  };
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  idempotencyStoreContract(async (now) => ({
    store: new PostgresIdempotencyStore(database.source, now),
    workspaceId: await newWorkspace(),
    otherWorkspaceId: await newWorkspace(),
  }));

  it('records the answer together with the work, or neither', async () => {
    const store = new PostgresIdempotencyStore(database.source);
    const workspaceId = await newWorkspace();
    const request = { workspaceId, key: 'k', fingerprint: Buffer.from('f') };
    const begun = await store.begin(request);
    const claim = begun.outcome === 'started' ? begun.claim : '';
    const failed = database.source.transaction(async (transaction) => {
      await new PostgresWorkspaceStore(transaction).update(workspaceId, { name: 'renamed' });
      expect(await store.within(transaction).complete(request, claim, { status: 200, headers: {}, body: '{}' })).toBe(
        true,
      );
      throw new Error('the work failed');
    });
    await expect(failed).rejects.toThrow('the work failed');
    expect(await store.begin(request)).toEqual({ outcome: 'in_progress' });
    expect((await new PostgresWorkspaceStore(database.source).find(workspaceId))?.name).toBe('acme');
  });
});
