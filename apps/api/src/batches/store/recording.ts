import type { DataSource, EntityManager } from 'typeorm';
import type { BatchRecord } from '../batch.js';
import type { ClaimedLine } from './claims.js';
import { lockBatch, rows } from './sql.js';

/** What an answered request costs. */
export interface Price {
  readonly model: string;
  readonly tokens: number;
  readonly amountNano: bigint;
}

export interface AnsweredLine {
  readonly line: ClaimedLine;
  /** The end of the result line: status, body and headers. */
  readonly result: string;
  /** Only of a request that is answered with 200. */
  readonly price?: Price | undefined;
}

/** Takes the price of one line inside the transaction; false when the credit does not cover it. */
export type Charge = (sql: EntityManager, batch: BatchRecord, line: ClaimedLine, price: Price) => Promise<boolean>;

interface Settled {
  readonly position: number;
  readonly state: 'completed' | 'failed';
  readonly result: string;
  readonly tokens: number;
}

/**
 * Records answers once: only for lines that this worker still holds, in the attempt that it answered. The results, the counts that readers
 * see and the ledger rows of what they cost are one transaction.
 */
export class Recording {
  constructor(
    private readonly source: DataSource,
    private readonly worker: string,
    private readonly charge: Charge,
    /** The end of the result line of a request whose answer the credit did not cover. */
    private readonly unpaid: () => string,
  ) {}

  async record(answers: readonly AnsweredLine[]): Promise<void> {
    const batches = Map.groupBy(answers, ({ line }) => line.batchId);
    for (const [id, answered] of batches) await this.source.transaction((sql) => this.recordIn(sql, id, answered));
  }

  private async recordIn(sql: EntityManager, id: string, answered: readonly AnsweredLine[]): Promise<void> {
    const batch = await lockBatch(sql, id);
    if (!batch) return;
    const held = await this.held(sql, id, answered);
    const settled: Settled[] = [];
    for (const answer of answered)
      if (held.has(answer.line.position)) settled.push(await this.settle(sql, batch, answer));
    await sql.query(
      `UPDATE batch_requests r SET state = done.state, result = done.result, claimed_by = NULL, lease_until = NULL
       FROM unnest($2::int[], $3::text[], $4::text[]) AS done (position, state, result)
       WHERE r.batch_id = $1 AND r.position = done.position`,
      [id, settled.map((line) => line.position), settled.map((line) => line.state), settled.map((line) => line.result)],
    );
    const completed = settled.filter((line) => line.state === 'completed').length;
    await sql.query(
      `UPDATE batches SET in_progress = in_progress - $2, completed = completed + $3, failed = failed + $4,
         input_tokens = input_tokens + $5 WHERE id = $1`,
      [id, settled.length, completed, settled.length - completed, settled.reduce((sum, line) => sum + line.tokens, 0)],
    );
  }

  private async held(sql: EntityManager, id: string, answered: readonly AnsweredLine[]): Promise<Set<number>> {
    const found = await rows<{ position: number }>(
      sql,
      `SELECT r.position FROM batch_requests r
       JOIN unnest($3::int[], $4::int[]) AS answered (position, attempt)
         ON r.position = answered.position AND r.attempts = answered.attempt
       WHERE r.batch_id = $1 AND r.state = 'running' AND r.claimed_by = $2 FOR UPDATE OF r`,
      [id, this.worker, answered.map(({ line }) => line.position), answered.map(({ line }) => line.attempt)],
    );
    return new Set(found.map((row) => row.position));
  }

  private async settle(
    sql: EntityManager,
    batch: BatchRecord,
    { line, result, price }: AnsweredLine,
  ): Promise<Settled> {
    if (!price) return { position: line.position, state: 'failed', result, tokens: 0 };
    if (!(await this.charge(sql, batch, line, price)))
      return { position: line.position, state: 'failed', result: this.unpaid(), tokens: 0 };
    return { position: line.position, state: 'completed', result, tokens: price.tokens };
  }
}
