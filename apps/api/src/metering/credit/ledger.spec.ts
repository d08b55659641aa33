import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issueKey } from '../../access/keys/issue-key.js';
import { PostgresKeyStore } from '../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import type { Charge } from './ledger-entry.js';
import { PostgresCreditStore } from './postgres-credit-store.js';

let database: TestDatabase;
let credit: PostgresCreditStore;
let workspaces: PostgresWorkspaceStore;
let charge: Charge;
beforeAll(async () => {
  database = await openTestDatabase();
  credit = new PostgresCreditStore(database.source);
  workspaces = new PostgresWorkspaceStore(database.source);
});
afterAll(() => database.close());

beforeEach(async () => {
  const { id: workspaceId } = await workspaces.create({ name: 'acme', billing: 'prepaid' });
  const { key } = await issueKey(new PostgresKeyStore(database.source), { workspaceId, name: 'ci', scope: 'full' });
  await credit.grant({ workspaceId, kind: 'top_up', amountNano: 1_000n, reference: 'first' });
  charge = { workspaceId, keyId: key.id, model: 'm', kind: 'decide', tokens: 1, amountNano: 100n, reference: 'req_1' };
});

const balance = async () => (await workspaces.find(charge.workspaceId))?.balanceNano;

describe('the ledger', () => {
  it.each([
    'UPDATE ledger_entries SET amount_nano = 0',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries CASCADE',
  ])('refuses %s', async (statement) => {
    await expect(database.source.query(statement)).rejects.toThrow('the ledger is append-only');
  });

  it('stands or falls with the work in the same transaction', async () => {
    const failed = database.source.transaction(async (transaction) => {
      expect(await credit.within(transaction).charge(charge)).toBe('charged');
      throw new Error('the work failed');
    });
    await expect(failed).rejects.toThrow('the work failed');
    expect(await balance()).toBe(1_000n);
    expect(await credit.charge(charge)).toBe('charged');
    expect(await balance()).toBe(900n);
  });

  it('lets only one of two transactions pay for the same work', async () => {
    const inTransaction = () => database.source.transaction((transaction) => credit.within(transaction).charge(charge));
    const settled = await Promise.allSettled([inTransaction(), inTransaction(), inTransaction()]);
    const charged = settled.filter((result) => result.status === 'fulfilled' && result.value === 'charged');
    expect(charged).toHaveLength(1);
    expect(await balance()).toBe(900n);
  });

  it('shows a balance that was changed behind its back', async () => {
    await database.source.query('UPDATE workspaces SET balance_nano = balance_nano + 1 WHERE id = $1', [
      charge.workspaceId,
    ]);
    expect(await credit.verify()).toEqual([
      {
        workspaceId: charge.workspaceId,
        entryId: null,
        problem: 'the balance is 1001 nano-dollars, its entries add up to 1000',
      },
    ]);
    await database.source.query('UPDATE workspaces SET balance_nano = balance_nano - 1 WHERE id = $1', [
      charge.workspaceId,
    ]);
  });

  it('shows an entry that was taken out, even when the balance was made to fit', async () => {
    await credit.charge(charge);
    await credit.charge({ ...charge, reference: 'req_2' });
    await database.source.transaction(async (transaction) => {
      await transaction.query('ALTER TABLE ledger_entries DISABLE TRIGGER USER');
      await transaction.query(`DELETE FROM ledger_entries WHERE workspace_id = $1 AND reference = 'req_1'`, [
        charge.workspaceId,
      ]);
      await transaction.query('UPDATE workspaces SET balance_nano = 900 WHERE id = $1', [charge.workspaceId]);
      await transaction.query('ALTER TABLE ledger_entries ENABLE TRIGGER USER');
    });
    const faults = await credit.verify();
    expect(faults).toMatchObject([
      { problem: 'the entry starts at 900 nano-dollars, the one before it ended at 1000' },
    ]);
  });

  it('keeps every balance at zero or above, whoever writes', async () => {
    const write = database.source.query('UPDATE workspaces SET balance_nano = -1 WHERE id = $1', [charge.workspaceId]);
    await expect(write).rejects.toThrow('workspaces_balance');
  });
});
