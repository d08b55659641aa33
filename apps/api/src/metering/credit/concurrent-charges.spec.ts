import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueKey } from '../../access/keys/issue-key.js';
import { PostgresKeyStore } from '../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { Program } from '../../storage/testing/program.js';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { CreditHolds } from './credit-holds.js';
import { PostgresCreditStore } from './postgres-credit-store.js';
import { chargeManyAtOnce } from './testing/charge-many.js';
import type { ChargingEvent } from './testing/charging-process.js';

const CREDIT_FOR = 200n;
const PRICE = 42n;

let database: TestDatabase;
let credit: PostgresCreditStore;
beforeAll(async () => {
  database = await openTestDatabase();
  credit = new PostgresCreditStore(database.source);
});
afterAll(() => database.close());

const newAccount = async () => {
  const workspace = await new PostgresWorkspaceStore(database.source).create({ name: 'acme', billing: 'prepaid' });
  const workspaceId = workspace.id;
  await credit.grant({ workspaceId, kind: 'top_up', amountNano: CREDIT_FOR * PRICE, reference: 'first' });
  const { key } = await issueKey(new PostgresKeyStore(database.source), { workspaceId, name: 'ci', scope: 'full' });
  return { workspaceId, keyId: key.id };
};

const expectAllSpent = async (workspaceId: string) => {
  expect((await new PostgresWorkspaceStore(database.source).find(workspaceId))?.balanceNano).toBe(0n);
  const day = new Date().toISOString().slice(0, 10);
  const [usage] = await credit.usage(workspaceId, day, day);
  expect(usage).toMatchObject({ calls: Number(CREDIT_FOR), amountNano: CREDIT_FOR * PRICE });
  expect(await credit.verify()).toEqual([]);
};

describe('500 calls at once with credit for 200', () => {
  it('charge exactly 200 in one process', async () => {
    const account = await newAccount();
    const calls = { ...account, name: 'one', calls: 500, amountNano: PRICE };
    expect(await chargeManyAtOnce(database.source, new CreditHolds(), calls)).toEqual({ charged: 200, refused: 300 });
    await expectAllSpent(account.workspaceId);
  });

  it('charge exactly 200 in two processes on one database', async () => {
    const { workspaceId, keyId } = await newAccount();
    const file = join(import.meta.dirname, 'testing', 'charging-process.ts');
    const programs = ['one', 'two'].map((name) => {
      const args = ['--url', database.url, '--workspace', workspaceId, '--key', keyId, '--name', name];
      return new Program<ChargingEvent>(file, args);
    });
    const done = await Promise.all(programs.map((program) => program.next('done')));
    const charged = done.reduce((sum, event) => sum + event.charged, 0);
    expect(charged).toBe(200);
    expect(await Promise.all(programs.map((program) => program.ended()))).toEqual([0, 0]);
    await expectAllSpent(workspaceId);
  });
});
