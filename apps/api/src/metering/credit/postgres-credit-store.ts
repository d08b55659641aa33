import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import type {
  Charge,
  ChargeOutcome,
  CreditStore,
  Grant,
  GrantOutcome,
  LedgerEntry,
  LedgerFault,
  UsageRow,
} from './ledger-entry.js';
import { LedgerEntryRow } from './ledger-entry.row.js';
import { findLedgerFaults } from './verify-ledger.js';

/**
 * The row lock of the UPDATE makes charges of one workspace take turns, and its condition is judged on the balance that the one before
 * left: credit cannot go below zero. The entry gets its id under that lock, so ids follow the order of the balance. A workspace with
 * unlimited billing is not locked, its balance does not move.
 */
const CHARGE = `
  WITH paid AS (
    UPDATE workspaces SET balance_nano = balance_nano - $6
    WHERE id = $1 AND billing = 'prepaid' AND balance_nano >= $6
      AND NOT EXISTS (SELECT FROM ledger_entries WHERE workspace_id = $1 AND reference = $7)
    RETURNING -$6::bigint AS change, balance_nano AS after
  ), free AS (
    SELECT 0::bigint AS change, balance_nano AS after FROM workspaces
    WHERE id = $1 AND billing = 'unlimited'
      AND NOT EXISTS (SELECT FROM ledger_entries WHERE workspace_id = $1 AND reference = $7)
  )
  INSERT INTO ledger_entries
    (workspace_id, key_id, model, kind, tokens, amount_nano, reference, balance_change_nano, balance_after_nano)
  SELECT $1, $2, $3, $4, $5, $6, $7, change, after FROM (SELECT * FROM paid UNION ALL SELECT * FROM free) AS settled
  RETURNING id`;

const GRANT = `
  WITH changed AS (
    UPDATE workspaces SET balance_nano = balance_nano + $3
    WHERE id = $1 AND balance_nano + $3 >= 0
      AND NOT EXISTS (SELECT FROM ledger_entries WHERE workspace_id = $1 AND reference = $4)
    RETURNING balance_nano AS after
  )
  INSERT INTO ledger_entries (workspace_id, kind, amount_nano, reference, balance_change_nano, balance_after_nano)
  SELECT $1, $2, $3, $4, $3, after FROM changed
  RETURNING id`;

const USAGE = `
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, key_id, model,
    count(*)::int AS calls, sum(tokens)::text AS tokens, sum(amount_nano)::text AS amount
  FROM ledger_entries
  WHERE workspace_id = $1 AND kind NOT IN ('top_up', 'adjustment')
    AND created_at >= $2::date::timestamp AT TIME ZONE 'UTC'
    AND created_at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

const UNIQUE_VIOLATION = '23505';

/** A charge with this reference was committed while this one ran; a surrounding transaction is lost and must be rolled back. */
export class ChargedMeanwhile extends Error {
  override readonly name = 'ChargedMeanwhile';
}

type UsageRecord = {
  day: string;
  key_id: string | null;
  model: string | null;
  calls: number;
  tokens: string;
  amount: string;
};

export class PostgresCreditStore implements CreditStore {
  /** A data source, or the manager of a transaction in which the work that is paid for is recorded too. */
  constructor(private readonly database: DataSource | EntityManager) {}

  /** The same store inside a transaction: the charge then stands or falls with everything else that is done there. */
  within(transaction: EntityManager): PostgresCreditStore {
    return new PostgresCreditStore(transaction);
  }

  async charge({ workspaceId, keyId, model, kind, tokens, amountNano, reference }: Charge): Promise<ChargeOutcome> {
    const values = [workspaceId, keyId, model, kind, tokens, amountNano.toString(), reference];
    if (await this.record(CHARGE, values)) return 'charged';
    return (await this.isRecorded(workspaceId, reference)) ? 'already_charged' : 'insufficient_credit';
  }

  async grant({ workspaceId, kind, amountNano, reference }: Grant): Promise<GrantOutcome> {
    if (await this.record(GRANT, [workspaceId, kind, amountNano.toString(), reference])) return 'granted';
    return (await this.isRecorded(workspaceId, reference)) ? 'already_granted' : 'insufficient_credit';
  }

  entries(workspaceId: string, { offset, limit }: { offset: number; limit: number }): Promise<LedgerEntry[]> {
    const rows = this.database.getRepository(LedgerEntryRow);
    return rows.find({ where: { workspaceId }, order: { id: 'ASC' }, skip: offset, take: limit });
  }

  async usage(workspaceId: string, from: string, to: string): Promise<UsageRow[]> {
    const rows = await this.database.query<UsageRecord[]>(USAGE, [workspaceId, from, to]);
    return rows.map(({ key_id, tokens, amount, ...row }) => {
      return { ...row, keyId: key_id, tokens: BigInt(tokens), amountNano: BigInt(amount) };
    });
  }

  verify(): Promise<LedgerFault[]> {
    return findLedgerFaults(this.database);
  }

  private async record(statement: string, values: readonly unknown[]): Promise<boolean> {
    try {
      return (await this.database.query<unknown[]>(statement, [...values])).length > 0;
    } catch (error) {
      if (!(error instanceof QueryFailedError) || error.driverError.code !== UNIQUE_VIOLATION) throw error;
      if ('queryRunner' in this.database && this.database.queryRunner)
        throw new ChargedMeanwhile('charged meanwhile', { cause: error });
      return false;
    }
  }

  private async isRecorded(workspaceId: string, reference: string): Promise<boolean> {
    const rows = await this.database.query<unknown[]>(
      'SELECT FROM ledger_entries WHERE workspace_id = $1 AND reference = $2',
      [workspaceId, reference],
    );
    return rows.length > 0;
  }
}
