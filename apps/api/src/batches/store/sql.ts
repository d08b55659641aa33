import type { BatchEnd, BatchRecord, BatchState } from '../batch.js';

/** A connection or a pool: TypeORM's data source and the manager of a transaction both are one. */
export interface Sql {
  query(text: string, parameters?: unknown[]): Promise<unknown>;
}

/** The rows of a statement; TypeORM gives them bare for SELECT and beside a count for UPDATE and DELETE. */
export async function rows<Row>(sql: Sql, text: string, parameters: unknown[] = []): Promise<Row[]> {
  const answer = await sql.query(text, parameters);
  const [first] = answer as unknown[];
  return (Array.isArray(first) ? first : answer) as Row[];
}

interface Row {
  id: string;
  workspace_id: string;
  key_id: string;
  state: BatchState;
  ending: BatchEnd | null;
  failure: string | null;
  requests: number;
  refused: number;
  in_progress: number;
  completed: number;
  failed: number;
  expired: number;
  cancelled: number;
  input_tokens: string;
  uploaded_bytes: string;
  created_at: Date;
  finalized_at: Date | null;
  expires_at: Date | null;
  ended_at: Date | null;
  results_bytes: string | null;
  results_etag: string | null;
}

const COLUMNS = `id, workspace_id, key_id, state, ending, failure, requests, refused, in_progress, completed, failed, expired,
  cancelled, input_tokens, uploaded_bytes, created_at, finalized_at, expires_at, ended_at, results_bytes, results_etag`;

const record = (row: Row): BatchRecord => ({
  id: row.id,
  workspaceId: row.workspace_id,
  keyId: row.key_id,
  state: row.state,
  ending: row.ending,
  failure: row.failure,
  requests: row.requests,
  refused: row.refused,
  inProgress: row.in_progress,
  completed: row.completed,
  failed: row.failed,
  expired: row.expired,
  cancelled: row.cancelled,
  inputTokens: Number(row.input_tokens),
  uploadedBytes: Number(row.uploaded_bytes),
  createdAt: row.created_at,
  finalizedAt: row.finalized_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  resultsBytes: row.results_bytes === null ? null : Number(row.results_bytes),
  resultsEtag: row.results_etag,
});

/** Batches by a condition, which may go on with ORDER BY, LIMIT and FOR UPDATE. */
export async function batchesWhere(sql: Sql, condition: string, parameters: unknown[]): Promise<BatchRecord[]> {
  return (await rows<Row>(sql, `SELECT ${COLUMNS} FROM batches WHERE ${condition}`, parameters)).map(record);
}

/**
 * Every change of a batch begins by locking its row: counts and lines then never disagree, and since nobody locks lines first, nobody
 * waits in a circle.
 */
export async function lockBatch(sql: Sql, id: string): Promise<BatchRecord | undefined> {
  return (await batchesWhere(sql, 'id = $1 FOR UPDATE', [id]))[0];
}
