import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { Authenticator } from '../authenticator.js';
import { PostgresWorkspaceStore } from '../workspaces/postgres-workspace-store.js';
import { issueKey } from './issue-key.js';
import { PostgresKeyStore } from './postgres-key-store.js';
import { Revocations } from './revocations.js';

let database: TestDatabase;
let keys: PostgresKeyStore;
let workspaceId: string;
let revocations: Revocations;
beforeAll(async () => {
  database = await openTestDatabase();
  keys = new PostgresKeyStore(database.source);
  workspaceId = (await new PostgresWorkspaceStore(database.source).create({ name: 'acme', billing: 'unlimited' })).id;
});
afterAll(() => database.close());

beforeEach(() => {
  revocations = new Revocations(database.address);
});

const issue = () => issueKey(keys, { workspaceId, name: 'ci', scope: 'full' });
const heard = (keyId: string) =>
  new Promise<void>((resolve) => {
    revocations.onRevoked((revoked) => revoked === keyId && resolve());
  });

it('tells of a key that was revoked through any connection', async () => {
  await revocations.start();
  const { key, secret } = await issue();
  const told = heard(key.id);
  await keys.revoke(workspaceId, key.id);
  await told;
  expect(await new Authenticator(keys).authenticate(secret)).toBeUndefined();
  await revocations.stop();
});

it('tells after a lost connection what was revoked meanwhile', async () => {
  await revocations.start();
  const { key } = await issue();
  const told = heard(key.id);
  await database.source.transaction(async (transaction) => {
    await transaction.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'assay-revocations' AND datname = current_database()`);
    await new PostgresKeyStore(transaction).revoke(workspaceId, key.id);
  });
  await told;
  await revocations.stop();
});

it('tells nobody who no longer listens', async () => {
  await revocations.start();
  const [{ key: first }, { key: second }] = [await issue(), await issue()];
  const calls: string[] = [];
  const leave = revocations.onRevoked((keyId) => calls.push(keyId));
  leave();
  const told = heard(second.id);
  await keys.revoke(workspaceId, first.id);
  await keys.revoke(workspaceId, second.id);
  await told;
  expect(calls).toEqual([]);
  await revocations.stop();
});
