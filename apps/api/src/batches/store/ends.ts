import type { DataSource, EntityManager } from 'typeorm';
import { type BatchEnd, type BatchRecord, DRAFT_TIME_MS, RETENTION_MS, RUN_TIME_MS, waiting } from '../batch.js';
import { batchesWhere, lockBatch, rows, type Sql } from './sql.js';

/** The result file of a batch as it lies in the blob store. */
export interface ResultFile {
  readonly bytes: number;
  readonly etag: string;
  /** Where each line begins, and where the last one ends: 8 bytes each, big-endian. */
  readonly index: Buffer;
}

/** Long enough to write any result file; a process that is killed while writing is followed by another after it. */
const FINISHING_SECONDS = 30;
const ACTIVE = `state IN ('draft', 'queued', 'running')`;

/** It will be `completed` as soon as the results are written: no other end can come in between. */
const hasEveryResult = (batch: BatchRecord): boolean =>
  batch.state !== 'draft' && batch.inProgress === 0 && waiting(batch) === 0;

export type EndProblem = 'not_found' | 'empty' | 'conflict';

/** How batches move on besides being worked on. An end is announced first (`ending`) and reached once its results can be read. */
export class Ends {
  constructor(
    private readonly source: DataSource,
    private readonly now: () => Date,
  ) {}

  /** Finalizing again gives the batch as it is, so that a lost answer can be asked for again. */
  finalize(keyId: string, id: string): Promise<BatchRecord | EndProblem> {
    return this.source.transaction(async (sql) => {
      const batch = await this.ownedAndLocked(sql, keyId, id);
      if (!batch) return 'not_found';
      if (batch.finalizedAt) return batch;
      if (batch.state !== 'draft' || batch.ending) return 'conflict';
      if (batch.requests === 0) return 'empty';
      const finalizedAt = this.now();
      await sql.query(
        `UPDATE batches SET state = 'queued', finalized_at = $2, expires_at = $3, failed = refused WHERE id = $1`,
        [id, finalizedAt, new Date(finalizedAt.getTime() + RUN_TIME_MS)],
      );
      return this.reload(sql, id);
    });
  }

  /** Cancels what has not started. What runs is finished, or given up by its worker's lease. A batch that has ended stays as it is. */
  cancel(keyId: string, id: string): Promise<BatchRecord | EndProblem> {
    return this.source.transaction(async (sql) => {
      const batch = await this.ownedAndLocked(sql, keyId, id);
      if (!batch) return 'not_found';
      if (batch.endedAt || batch.ending || hasEveryResult(batch)) return batch;
      await this.begin(sql, batch, 'cancelled');
      return this.reload(sql, id);
    });
  }

  /** A batch that cannot be run: nothing of it is started any more, and what runs now is not recorded. */
  fail(id: string, reason: string): Promise<void> {
    return this.source.transaction(async (sql) => {
      const batch = await lockBatch(sql, id);
      if (!batch || batch.endedAt || batch.ending || hasEveryResult(batch)) return;
      await this.begin(sql, batch, 'failed', reason);
    });
  }

  /** Batches whose 24 hours are over, and drafts that nobody finalized for days. */
  async expire(): Promise<void> {
    const now = this.now();
    const due = await rows<{ id: string; state: string }>(
      this.source,
      `SELECT id, state FROM batches WHERE ${ACTIVE} AND ending IS NULL
         AND ((state IN ('queued', 'running') AND expires_at <= $1) OR (state = 'draft' AND created_at <= $2))`,
      [now, new Date(now.getTime() - DRAFT_TIME_MS)],
    );
    for (const { id, state } of due)
      await this.source.transaction(async (sql) => {
        const batch = await lockBatch(sql, id);
        // Between the two looks it may have been finalized, or have got its last result.
        if (!batch || batch.ending || batch.endedAt || (batch.state === 'draft') !== (state === 'draft')) return;
        if (hasEveryResult(batch)) return;
        await this.begin(sql, batch, batch.state === 'draft' ? 'cancelled' : 'expired');
      });
  }

  /** A batch of which nothing runs or waits, for this process alone to write its results. */
  async toFinish(id?: string): Promise<BatchRecord | undefined> {
    const [taken] = await rows<{ id: string }>(
      this.source,
      `WITH taken AS (
         UPDATE batches SET finishing_until = clock_timestamp() + interval '${FINISHING_SECONDS} seconds' WHERE id = (
           SELECT id FROM batches WHERE ${ACTIVE} AND in_progress = 0 AND ($1::text IS NULL OR id = $1)
             AND (ending IS NOT NULL OR (state <> 'draft' AND completed + failed + expired + cancelled = requests))
             AND (finishing_until IS NULL OR finishing_until < clock_timestamp())
           ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
         ) RETURNING id
       ) SELECT id FROM taken`,
      [id ?? null],
    );
    return taken && (await batchesWhere(this.source, 'id = $1', [taken.id]))[0];
  }

  /** The results can be read: from now on the batch has ended. Written twice, the file is the same, so the second is no harm. */
  async finish(id: string, file: ResultFile): Promise<void> {
    await this.source.query(
      `UPDATE batches SET state = coalesce(ending, 'completed'), ended_at = $2, results_bytes = $3, results_etag = $4,
         results_index = $5, finishing_until = NULL
       WHERE id = $1 AND ${ACTIVE} AND in_progress = 0`,
      [id, this.now(), file.bytes, file.etag, file.index],
    );
  }

  /** Lets another process finish it at once, after this one could not. */
  async giveUpFinishing(id: string): Promise<void> {
    await this.source.query('UPDATE batches SET finishing_until = NULL WHERE id = $1', [id]);
  }

  /** Batches whose results have to be deleted by now. */
  async outlived(): Promise<string[]> {
    const due = await rows<{ id: string }>(
      this.source,
      'SELECT id FROM batches WHERE ended_at <= $1 AND results_deleted_at IS NULL LIMIT 100',
      [new Date(this.now().getTime() - RETENTION_MS)],
    );
    return due.map((row) => row.id);
  }

  /** After the blob is gone: the lines go, the counters stay. */
  forget(id: string): Promise<void> {
    return this.source.transaction(async (sql) => {
      await sql.query('DELETE FROM batch_requests WHERE batch_id = $1', [id]);
      await sql.query('UPDATE batches SET results_deleted_at = $2, results_index = NULL WHERE id = $1', [
        id,
        this.now(),
      ]);
    });
  }

  private async ownedAndLocked(sql: EntityManager, keyId: string, id: string): Promise<BatchRecord | undefined> {
    const batch = await lockBatch(sql, id);
    return batch?.keyId === keyId ? batch : undefined;
  }

  private async reload(sql: Sql, id: string): Promise<BatchRecord> {
    return (await batchesWhere(sql, 'id = $1', [id]))[0]!;
  }

  /** Moves every line that will not be finished, and the counts with them. A cancelled batch lets its running lines finish. */
  private async begin(sql: EntityManager, batch: BatchRecord, ending: BatchEnd, failure: string | null = null) {
    const moving = ending === 'cancelled' ? `state = 'queued'` : `state IN ('queued', 'running')`;
    await sql.query(
      `UPDATE batch_requests SET state = $2, claimed_by = NULL, lease_until = NULL WHERE batch_id = $1 AND ${moving}`,
      [batch.id, ending],
    );
    const running = ending === 'cancelled' ? batch.inProgress : 0;
    // A draft's refused lines are counted when it moves on, by finalize or here.
    const failed = batch.failed + (batch.state === 'draft' ? batch.refused : 0);
    const counts = { completed: batch.completed, failed, expired: batch.expired, cancelled: batch.cancelled };
    counts[ending] += batch.requests - running - batch.completed - failed - batch.expired - batch.cancelled;
    await sql.query(
      `UPDATE batches SET ending = $2, failure = $3, in_progress = $4, failed = $5, expired = $6, cancelled = $7 WHERE id = $1`,
      [batch.id, ending, failure, running, counts.failed, counts.expired, counts.cancelled],
    );
  }
}
