import type { DataSource } from 'typeorm';
import type { BatchRecord } from '../batch.js';
import { batchesWhere, rows } from './sql.js';

export type LineState = 'completed' | 'failed' | 'expired' | 'cancelled';

/** A line of an ended batch. `result` is null for one that never ran, or that its batch's failure ended. */
export interface EndedLine {
  readonly position: number;
  readonly custom_id: string;
  readonly state: LineState;
  readonly result: string | null;
}

const INDEX_ENTRY_BYTES = 8;

export class Reading {
  constructor(private readonly source: DataSource) {}

  /** Another key's batch is not found, even in the same workspace. */
  async find(keyId: string, id: string): Promise<BatchRecord | undefined> {
    return (await batchesWhere(this.source, 'id = $1 AND key_id = $2', [id, keyId]))[0];
  }

  async hasEnded(id: string): Promise<boolean> {
    return (await batchesWhere(this.source, 'id = $1', [id]))[0]?.endedAt !== null;
  }

  /** Newest first. */
  list(keyId: string, { offset, limit }: { offset: number; limit: number }): Promise<BatchRecord[]> {
    return batchesWhere(this.source, 'key_id = $1 ORDER BY number DESC OFFSET $2 LIMIT $3', [keyId, offset, limit]);
  }

  /** What is not ended, of all keys, for whoever runs the service. */
  active(): Promise<BatchRecord[]> {
    return batchesWhere(this.source, `state IN ('draft', 'queued', 'running') ORDER BY number`, []);
  }

  /** The next lines after a position, in upload order. */
  lines(id: string, after: number, limit: number): Promise<EndedLine[]> {
    return rows<EndedLine>(
      this.source,
      `SELECT position, custom_id, state, result FROM batch_requests WHERE batch_id = $1 AND position > $2
       ORDER BY position LIMIT $3`,
      [id, after, limit],
    );
  }

  /** Where the lines of a page begin in the result file, and where its last one ends. */
  async resultOffsets(id: string, first: number, count: number): Promise<number[]> {
    const [found] = await rows<{ part: Buffer | null }>(
      this.source,
      'SELECT substring(results_index FROM $2 FOR $3) AS part FROM batches WHERE id = $1',
      [id, first * INDEX_ENTRY_BYTES + 1, (count + 1) * INDEX_ENTRY_BYTES],
    );
    const part = found?.part ?? Buffer.alloc(0);
    return Array.from({ length: part.length / INDEX_ENTRY_BYTES }, (_, at) =>
      Number(part.readBigUInt64BE(at * INDEX_ENTRY_BYTES)),
    );
  }
}
