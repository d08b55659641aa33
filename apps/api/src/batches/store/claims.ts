import type { DataSource, EntityManager } from 'typeorm';
import { type BatchRecord, waiting } from '../batch.js';
import { batchesWhere, lockBatch, rows, type Sql } from './sql.js';

/** A request that one worker may run until its lease ends, and where it lies. */
export interface ClaimedLine {
  readonly batchId: string;
  readonly position: number;
  readonly attempt: number;
  readonly blob: string;
  readonly start: number;
  readonly bytes: number;
}

export interface Claim {
  readonly batch: BatchRecord;
  readonly lines: readonly ClaimedLine[];
}

/** A worker renews well before; one that is killed leaves its lines to the others after this time. */
export const LEASE_SECONDS = 15;

/** A request whose workers stopped this often without an answer is taken for the cause, and ends with status 500. */
export const MOST_ATTEMPTS = 12;

const lease = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/**
 * Who runs what. Leases are measured by the database's clock, which all processes share; cut-offs that callers see by the service's.
 * A worker is one start of one process: its id is never used again.
 */
export class Claims {
  constructor(
    private readonly source: DataSource,
    private readonly worker: string,
    private readonly now: () => Date,
  ) {}

  /** The next requests, from the key that has waited longest for its turn; those that failed before come last. */
  async claim(most: number): Promise<Claim | undefined> {
    const id = await this.nextBatch();
    if (id === undefined) return undefined;
    return this.source.transaction(async (sql) => {
      const batch = await lockBatch(sql, id);
      if (!batch || batch.ending || !['queued', 'running'].includes(batch.state) || waiting(batch) === 0)
        return undefined;
      const lines = await this.take(sql, id, most);
      await sql.query(
        `UPDATE batches SET state = 'running', in_progress = in_progress + $2, claimed_at = clock_timestamp() WHERE id = $1`,
        [id, lines.length],
      );
      return { batch, lines };
    });
  }

  /** Lines of this worker that are still running keep their lease. */
  async renew(): Promise<void> {
    // Lines locked by somebody else are being recorded or given back: waiting for them could only end in a circle.
    await this.source.query(
      `UPDATE batch_requests r SET lease_until = ${lease} FROM (
         SELECT batch_id, position FROM batch_requests WHERE state = 'running' AND claimed_by = $1 FOR UPDATE SKIP LOCKED
       ) mine WHERE r.batch_id = mine.batch_id AND r.position = mine.position`,
      [this.worker],
    );
  }

  /** Gives lines back unanswered, for whoever comes next; that is no attempt that failed. */
  release(lines: readonly ClaimedLine[]): Promise<void> {
    const batches = new Set(lines.map((line) => line.batchId));
    return this.eachBatch([...batches], (sql, id) =>
      this.requeue(sql, id, 'attempts - 1', 'claimed_by = $2 AND position = ANY($3::int[])', [
        this.worker,
        lines.filter((line) => line.batchId === id).map((line) => line.position),
      ]),
    );
  }

  /** Takes lines back from workers that stopped renewing. */
  async reap(): Promise<void> {
    const lapsed = await rows<{ batch_id: string }>(
      this.source,
      `SELECT DISTINCT batch_id FROM batch_requests WHERE state = 'running' AND lease_until < clock_timestamp()`,
    );
    await this.eachBatch(
      lapsed.map((row) => row.batch_id),
      (sql, id) => this.requeue(sql, id, 'attempts', 'lease_until < clock_timestamp()', []),
    );
  }

  private async nextBatch(): Promise<string | undefined> {
    const [next] = await rows<{ id: string }>(
      this.source,
      `SELECT id FROM batches b
       WHERE state IN ('queued', 'running') AND ending IS NULL AND expires_at > $1
         AND in_progress + completed + failed + expired + cancelled < requests
       ORDER BY (SELECT max(claimed_at) FROM batches o WHERE o.key_id = b.key_id AND o.state IN ('queued', 'running')) NULLS FIRST,
         claimed_at NULLS FIRST, number
       LIMIT 1`,
      [this.now()],
    );
    return next?.id;
  }

  private async take(sql: Sql, id: string, most: number): Promise<ClaimedLine[]> {
    const taken = await rows<{ position: number; attempts: number; blob: string; start: string; bytes: number }>(
      sql,
      `WITH next AS (
         SELECT position FROM batch_requests WHERE batch_id = $1 AND state = 'queued'
         ORDER BY attempts, position LIMIT $3 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE batch_requests r SET state = 'running', attempts = attempts + 1, claimed_by = $2, lease_until = ${lease}
         FROM next WHERE r.batch_id = $1 AND r.position = next.position
         RETURNING r.position, r.attempts, r.upload, r.start, r.bytes
       )
       SELECT taken.position, taken.attempts, u.blob, taken.start, taken.bytes
       FROM taken JOIN batch_uploads u ON u.batch_id = $1 AND u.number = taken.upload ORDER BY taken.position`,
      [id, this.worker, most],
    );
    return taken.map(({ position, attempts, blob, start, bytes }) => ({
      batchId: id,
      position,
      attempt: attempts,
      blob,
      start: Number(start),
      bytes,
    }));
  }

  private async eachBatch(ids: readonly string[], work: (sql: EntityManager, id: string) => Promise<void>) {
    for (const id of ids)
      await this.source.transaction(async (sql) => {
        if (await lockBatch(sql, id)) await work(sql, id);
      });
  }

  /** Back to the queue, unless the batch is being cancelled or the request has taken too many workers down with it. */
  private async requeue(sql: Sql, id: string, attempts: string, which: string, parameters: unknown[]): Promise<void> {
    const [batch] = await batchesWhere(sql, 'id = $1', [id]);
    const back = batch?.ending === 'cancelled' ? 'cancelled' : 'queued';
    const [moved] = await rows<{ all: number; cancelled: number; failed: number }>(
      sql,
      `WITH moved AS (
         UPDATE batch_requests
         SET state = CASE WHEN ${attempts} >= ${MOST_ATTEMPTS} THEN 'failed' ELSE '${back}' END,
           attempts = ${attempts}, claimed_by = NULL, lease_until = NULL
         WHERE batch_id = $1 AND state = 'running' AND ${which} RETURNING state
       )
       SELECT count(*)::int AS all, count(*) FILTER (WHERE state = 'cancelled')::int AS cancelled,
         count(*) FILTER (WHERE state = 'failed')::int AS failed FROM moved`,
      [id, ...parameters],
    );
    await sql.query(
      `UPDATE batches SET in_progress = in_progress - $2, cancelled = cancelled + $3, failed = failed + $4 WHERE id = $1`,
      [id, moved!.all, moved!.cancelled, moved!.failed],
    );
  }
}
