import type { DataSource, EntityManager } from 'typeorm';
import type { Clock } from '../../clock.js';
import type { Charge } from '../../metering/credit/ledger-entry.js';
import { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import type { EndReason } from '../ending.js';
import type { SessionRecord } from './session-record.js';

export interface NewSession {
  readonly id: string;
  readonly workspaceId: string;
  readonly keyId: string;
  readonly holder: string;
  readonly expiresAt: Date;
}

export type Payment = 'paid' | 'insufficient_credit' | 'ended';

/** Keeps two opens of one key from counting each other's session as absent. */
const LOCK_KEY = "SELECT pg_advisory_xact_lock(hashtextextended('sessions of ' || $1, 0))";
const COUNT_OPEN =
  'SELECT count(*)::int AS open FROM sessions WHERE key_id = $1 AND ended_at IS NULL AND expires_at > $2';
const INSERT = `
  INSERT INTO sessions (id, workspace_id, key_id, holder, opened_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`;
const FIND = `
  SELECT id, workspace_id, key_id, holder, expires_at, frames::float8 AS frames, input_tokens::float8 AS tokens, reason
  FROM sessions WHERE id = $1 AND key_id = $2`;
/** Ending it again changes nothing: the first reason stays. */
const END = 'UPDATE sessions SET ended_at = $2, reason = $3 WHERE id = $1 AND ended_at IS NULL';
const COUNT_FRAMES = `
  UPDATE sessions SET frames = frames + $2, input_tokens = input_tokens + $3 WHERE id = $1 AND ended_at IS NULL RETURNING id`;

interface Row {
  id: string;
  workspace_id: string;
  key_id: string;
  holder: string;
  expires_at: Date;
  frames: number;
  tokens: number;
  reason: EndReason | null;
}

/** TypeORM answers an UPDATE with its rows and their number, unlike a SELECT. */
type Updated = [rows: unknown[], count: number];

/** Undoes the count of a frame that is not charged now. */
class NotCharged extends Error {
  constructor(readonly payment: Payment) {
    super(payment);
  }
}

/** What is kept of a session beyond the life of its process. */
export class SessionStore {
  constructor(
    private readonly source: DataSource,
    private readonly now: Clock,
  ) {}

  /** False when the key already holds as many sessions as it may. */
  open(session: NewSession, sessionsPerKey: number): Promise<boolean> {
    return this.source.transaction(async (sql) => {
      const now = this.now();
      await sql.query(LOCK_KEY, [session.keyId]);
      const [counted] = await sql.query<{ open: number }[]>(COUNT_OPEN, [session.keyId, now]);
      if (!counted || counted.open >= sessionsPerKey) return false;
      const { id, workspaceId, keyId, holder, expiresAt } = session;
      await sql.query(INSERT, [id, workspaceId, keyId, holder, now, expiresAt]);
      return true;
    });
  }

  /** A session that its caller never heard of. */
  async forget(id: string): Promise<void> {
    await this.source.query('DELETE FROM sessions WHERE id = $1', [id]);
  }

  async find(id: string, keyId: string): Promise<SessionRecord | undefined> {
    const [row] = await this.source.query<Row[]>(FIND, [id, keyId]);
    if (!row) return undefined;
    const { workspace_id: workspaceId, key_id, holder, expires_at: expiresAt, frames, tokens, reason } = row;
    return { id, workspaceId, keyId: key_id, holder, expiresAt, frames, inputTokens: tokens, reason };
  }

  async end(id: string, reason: EndReason): Promise<void> {
    await this.source.query(END, [id, this.now(), reason]);
  }

  /**
   * The charge and the session's own count stand or fall together, and only while the session is open: whoever ended it, in whichever
   * process, has its final counts.
   */
  async pay(id: string, frames: 0 | 1, charge: Charge): Promise<Payment> {
    try {
      return await this.source.transaction((sql) => this.payWithin(sql, id, frames, charge));
    } catch (error) {
      if (error instanceof NotCharged) return error.payment;
      throw error;
    }
  }

  private async payWithin(sql: EntityManager, id: string, frames: 0 | 1, charge: Charge): Promise<Payment> {
    const [counted] = await sql.query<Updated>(COUNT_FRAMES, [id, frames, charge.tokens]);
    if (counted.length === 0) return 'ended';
    const outcome = await new PostgresCreditStore(sql).charge(charge);
    if (outcome === 'insufficient_credit') throw new NotCharged('insufficient_credit');
    // An earlier try was committed although nobody heard of it: it has paid, and counted, for this one.
    if (outcome === 'already_charged') throw new NotCharged('paid');
    return 'paid';
  }
}
