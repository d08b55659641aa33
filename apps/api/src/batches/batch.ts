import { BATCH_PRICE_FACTOR, type Batch, durations } from '@assay/contract';

export type BatchEnd = 'completed' | 'failed' | 'cancelled' | 'expired';
export type BatchState = 'draft' | 'queued' | 'running' | BatchEnd;

/** From finalize to the cut-off. */
export const RUN_TIME_MS = durations.batchExpirySeconds * 1_000;
/** From the end to the deletion of results. */
export const RETENTION_MS = durations.resultsRetentionSeconds * 1_000;
/** From create to the cancellation of a draft that nobody finalized: its key gets its place back by itself. */
export const DRAFT_TIME_MS = 7 * 24 * 3_600_000;

/** A batch as it is kept. `ending` says which end it moves to once nothing of it runs any more and its results are written. */
export interface BatchRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly keyId: string;
  readonly state: BatchState;
  readonly ending: BatchEnd | null;
  readonly failure: string | null;
  readonly requests: number;
  readonly inProgress: number;
  readonly completed: number;
  readonly failed: number;
  readonly expired: number;
  readonly cancelled: number;
  /** Requests that decide's validation refused when they were uploaded; counted as failed from finalize on. */
  readonly refused: number;
  readonly inputTokens: number;
  readonly uploadedBytes: number;
  readonly createdAt: Date;
  readonly finalizedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly endedAt: Date | null;
  readonly resultsBytes: number | null;
  readonly resultsEtag: string | null;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const resultsExpireAt = (batch: BatchRecord): Date | null =>
  batch.endedAt && new Date(batch.endedAt.getTime() + RETENTION_MS);

export const waiting = (batch: BatchRecord): number =>
  batch.requests - batch.inProgress - batch.completed - batch.failed - batch.expired - batch.cancelled;

/** From finalize on they add up to `requests`; nothing of a draft is counted yet. */
function counters(batch: BatchRecord): Batch['counters'] {
  if (batch.state === 'draft')
    return { requests: batch.requests, queued: 0, in_progress: 0, completed: 0, failed: 0, expired: 0, cancelled: 0 };
  return {
    requests: batch.requests,
    queued: waiting(batch),
    in_progress: batch.inProgress,
    completed: batch.completed,
    failed: batch.failed,
    expired: batch.expired,
    cancelled: batch.cancelled,
  };
}

/** The batch object that every batch endpoint returns. */
export function present(batch: BatchRecord, baseUrl: string): Batch {
  return {
    id: batch.id,
    state: batch.state,
    counters: counters(batch),
    created_at: batch.createdAt.toISOString(),
    finalized_at: iso(batch.finalizedAt),
    expires_at: iso(batch.expiresAt),
    ended_at: iso(batch.endedAt),
    results_url: batch.endedAt && `${baseUrl}/v1/batches/${batch.id}/results`,
    results_expire_at: iso(resultsExpireAt(batch)),
    price_factor: BATCH_PRICE_FACTOR,
    usage: { input_tokens: batch.inputTokens, output_tokens: 0 },
    error:
      batch.state === 'failed'
        ? { error_type: 'batch_failed', message: batch.failure ?? 'The batch could not be run.' }
        : null,
  };
}
