import type { DataSource } from 'typeorm';
import { rows } from '../store/sql.js';

interface Counted {
  readonly id: string;
  readonly kept: string;
  readonly found: string;
}

/**
 * Compares, in one statement and so in one snapshot, the counts that a reader sees with the lines that they count and with the ledger.
 * What differs is returned; a draft has no counts yet.
 */
export function inconsistencies(source: DataSource): Promise<Counted[]> {
  return rows<Counted>(
    source,
    `WITH counted AS (
       SELECT b.id,
         json_build_array(b.requests, b.in_progress, b.completed, b.failed, b.expired, b.cancelled, b.completed)::text AS kept,
         json_build_array(count(r.position),
           count(*) FILTER (WHERE r.state = 'running'), count(*) FILTER (WHERE r.state = 'completed'),
           count(*) FILTER (WHERE r.state = 'failed'), count(*) FILTER (WHERE r.state = 'expired'),
           count(*) FILTER (WHERE r.state = 'cancelled'),
           (SELECT count(*) FROM ledger_entries l WHERE l.workspace_id = b.workspace_id AND l.reference LIKE b.id || '/%'))::text AS found
       FROM batches b LEFT JOIN batch_requests r ON r.batch_id = b.id
       WHERE b.finalized_at IS NOT NULL AND b.results_deleted_at IS NULL GROUP BY b.id
     ) SELECT * FROM counted WHERE kept <> found`,
  );
}
