import type { DataSource, EntityManager } from 'typeorm';
import { newIdentifier } from '../database/identifier.js';
import {
  type Begun,
  CLAIM_LEASE_MS,
  type IdempotencyStore,
  type IdempotentRequest,
  REPLAY_WINDOW_MS,
  type StoredResponse,
} from './idempotency.js';

/** Takes a key that is new, expired, or left behind by a dead process with the very same request. */
const BEGIN = `
  INSERT INTO idempotency_keys AS held (workspace_id, key, fingerprint, claim, lease_until, created_at)
  VALUES ($1, $2, $3, $4, $5::timestamptz + $6 * interval '1 ms', $5)
  ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, claim = excluded.claim, lease_until = excluded.lease_until,
      response = NULL, created_at = excluded.created_at
    WHERE held.created_at <= $5::timestamptz - $7 * interval '1 ms'
      OR (held.response IS NULL AND held.lease_until <= $5 AND held.fingerprint = excluded.fingerprint)
  RETURNING claim`;

const COMPLETE = `
  UPDATE idempotency_keys SET response = $4 WHERE workspace_id = $1 AND key = $2 AND claim = $3 AND response IS NULL
  RETURNING claim`;

const ABANDON = 'DELETE FROM idempotency_keys WHERE workspace_id = $1 AND key = $2 AND claim = $3 AND response IS NULL';

const HELD = 'SELECT fingerprint, response FROM idempotency_keys WHERE workspace_id = $1 AND key = $2';

const FORGET = `DELETE FROM idempotency_keys WHERE created_at <= $1::timestamptz - $2 * interval '1 ms'`;

export class PostgresIdempotencyStore implements IdempotencyStore {
  constructor(
    private readonly database: DataSource | EntityManager,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** The same store inside the transaction that does the work, so that the answer and what it tells of are recorded as one. */
  within(transaction: EntityManager): PostgresIdempotencyStore {
    return new PostgresIdempotencyStore(transaction, this.now);
  }

  async begin({ workspaceId, key, fingerprint }: IdempotentRequest): Promise<Begun> {
    const claim = newIdentifier('claim');
    const values = [workspaceId, key, fingerprint, claim, this.now(), CLAIM_LEASE_MS, REPLAY_WINDOW_MS];
    if ((await this.database.query<unknown[]>(BEGIN, values)).length > 0) return { outcome: 'started', claim };
    const [held] = await this.database.query<{ fingerprint: Buffer; response: StoredResponse | null }[]>(HELD, [
      workspaceId,
      key,
    ]);
    if (!held) return { outcome: 'in_progress' };
    if (!held.fingerprint.equals(fingerprint)) return { outcome: 'reused' };
    return held.response ? { outcome: 'replay', response: held.response } : { outcome: 'in_progress' };
  }

  async complete({ workspaceId, key }: IdempotentRequest, claim: string, response: StoredResponse): Promise<boolean> {
    const [rows] = await this.database.query<[unknown[], number]>(COMPLETE, [
      workspaceId,
      key,
      claim,
      JSON.stringify(response),
    ]);
    return rows.length > 0;
  }

  async abandon({ workspaceId, key }: IdempotentRequest, claim: string): Promise<void> {
    await this.database.query(ABANDON, [workspaceId, key, claim]);
  }

  async forgetExpired(): Promise<void> {
    await this.database.query(FORGET, [this.now(), REPLAY_WINDOW_MS]);
  }
}
