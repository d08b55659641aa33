import type { DataSource, EntityManager } from 'typeorm';
import type { LedgerFault } from './ledger-entry.js';

/** Every balance is the sum of its entries. */
const BALANCES = `
  SELECT w.id AS workspace, w.balance_nano::text AS balance, coalesce(sum(l.balance_change_nano), 0)::text AS total
  FROM workspaces w LEFT JOIN ledger_entries l ON l.workspace_id = w.id
  GROUP BY w.id HAVING w.balance_nano <> coalesce(sum(l.balance_change_nano), 0)`;

/** Every entry that moves a balance starts where the one before it ended: none is missing and none was put in later. */
const CHAIN = `
  SELECT workspace_id AS workspace, id::text AS entry, before::text AS before, started::text AS started FROM (
    SELECT workspace_id, id, balance_after_nano - balance_change_nano AS started,
      coalesce(lag(balance_after_nano) OVER (PARTITION BY workspace_id ORDER BY id), 0) AS before
    FROM ledger_entries WHERE balance_change_nano <> 0
  ) AS chained WHERE started <> before`;

/** Both questions are asked of one snapshot, so that calls which are being charged meanwhile do not look like faults. */
export function findLedgerFaults(database: DataSource | EntityManager): Promise<LedgerFault[]> {
  return database.transaction('REPEATABLE READ', async (snapshot) => {
    const balances = await snapshot.query<{ workspace: string; balance: string; total: string }[]>(BALANCES);
    const chain = await snapshot.query<{ workspace: string; entry: string; before: string; started: string }[]>(CHAIN);
    return [
      ...balances.map(({ workspace, balance, total }) => ({
        workspaceId: workspace,
        entryId: null,
        problem: `the balance is ${balance} nano-dollars, its entries add up to ${total}`,
      })),
      ...chain.map(({ workspace, entry, before, started }) => ({
        workspaceId: workspace,
        entryId: entry,
        problem: `the entry starts at ${started} nano-dollars, the one before it ended at ${before}`,
      })),
    ];
  });
}
