import { randomInt } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { BatchRecord } from '../batch.js';
import { batchesWhere, lockBatch, rows } from './sql.js';

/** Who a batch belongs to. */
export interface Owner {
  readonly workspaceId: string;
  readonly keyId: string;
}

/** One request as it lies in its upload. `refusal` is the end of its result line when decide's validation refuses it. */
export interface UploadedLine {
  /** The caller's id as a JSON string, so that any character can be stored. */
  readonly customId: string;
  readonly digest: Buffer;
  readonly start: number;
  readonly bytes: number;
  readonly refusal: string | null;
}

/** A body of create or add whose bytes are safe in the blob store. */
export interface Upload {
  readonly blob: string;
  readonly bytes: number;
  readonly lines: readonly UploadedLine[];
}

export interface DraftLimits {
  readonly requestsPerBatch: number;
  readonly bytesPerBatch: number;
  readonly activeBatchesPerKey: number;
  readonly activeRequestsPerKey: number;
}

export type DraftProblem =
  | 'not_found'
  | 'not_a_draft'
  | 'too_many_requests'
  | 'too_many_bytes'
  | 'repeated_custom_id'
  | 'too_many_active_batches'
  | 'too_many_active_requests';

/** The upload was not applied, no part of it. */
export class DraftRefused extends Error {
  constructor(
    readonly problem: DraftProblem,
    readonly line?: number,
  ) {
    super(problem);
  }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROWS_PER_INSERT = 2_000;

const newBatchId = (): string => `batch_${Array.from({ length: 10 }, () => ALPHABET[randomInt(62)]).join('')}`;

/** Drafts and what is added to them, within the limits of a key however many calls and processes are at it. */
export class Drafts {
  constructor(
    private readonly source: DataSource,
    private readonly limits: DraftLimits,
    private readonly now: () => Date,
  ) {}

  create(owner: Owner, upload: Upload): Promise<BatchRecord> {
    return this.source.transaction(async (sql) => {
      await this.lockKey(sql, owner.keyId);
      await this.refuseOverActive(sql, owner.keyId, 1, upload.lines.length);
      const id = newBatchId();
      await sql.query('INSERT INTO batches (id, workspace_id, key_id, created_at) VALUES ($1, $2, $3, $4)', [
        id,
        owner.workspaceId,
        owner.keyId,
        this.now(),
      ]);
      return this.append(sql, id, upload);
    });
  }

  add(owner: Owner, id: string, upload: Upload): Promise<BatchRecord> {
    return this.source.transaction(async (sql) => {
      await this.lockKey(sql, owner.keyId);
      const found = await batchesWhere(sql, 'id = $1 AND key_id = $2', [id, owner.keyId]);
      if (found.length === 0) throw new DraftRefused('not_found');
      return this.append(sql, id, upload, () => this.refuseOverActive(sql, owner.keyId, 0, upload.lines.length));
    });
  }

  /** What a large upload can be refused for before it is read; `create` and `add` look again, under the lock. */
  async precheck(owner: Owner, id?: string): Promise<void> {
    if (id === undefined) return this.refuseOverActive(this.source.manager, owner.keyId, 1, 1);
    const [batch] = await batchesWhere(this.source, 'id = $1 AND key_id = $2', [id, owner.keyId]);
    if (!batch) throw new DraftRefused('not_found');
    if (batch.state !== 'draft' || batch.ending) throw new DraftRefused('not_a_draft');
  }

  /** Calls of one key take turns here, in every process: what they count together is then right. */
  private async lockKey(sql: EntityManager, keyId: string): Promise<void> {
    await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('batches:' || $1, 0))`, [keyId]);
  }

  private async refuseOverActive(sql: EntityManager, keyId: string, batches: number, requests: number): Promise<void> {
    const [active] = await rows<{ batches: number; requests: number }>(
      sql,
      `SELECT count(*)::int AS batches, coalesce(sum(requests), 0)::int AS requests FROM batches
       WHERE key_id = $1 AND state IN ('draft', 'queued', 'running')`,
      [keyId],
    );
    if (active!.batches + batches > this.limits.activeBatchesPerKey) throw new DraftRefused('too_many_active_batches');
    if (active!.requests + requests > this.limits.activeRequestsPerKey)
      throw new DraftRefused('too_many_active_requests');
  }

  private async append(sql: EntityManager, id: string, upload: Upload, check?: () => Promise<void>) {
    const batch = await lockBatch(sql, id);
    if (batch?.state !== 'draft' || batch.ending) throw new DraftRefused('not_a_draft');
    if (batch.requests + upload.lines.length > this.limits.requestsPerBatch)
      throw new DraftRefused('too_many_requests');
    if (batch.uploadedBytes + upload.bytes > this.limits.bytesPerBatch) throw new DraftRefused('too_many_bytes');
    await check?.();
    await this.refuseRepeated(sql, id, upload);
    const [numbered] = await rows<{ number: number }>(
      sql,
      `WITH taken AS (
         UPDATE batch_uploads SET batch_id = $1,
           number = (SELECT count(*) FROM batch_uploads WHERE batch_id = $1)
         WHERE blob = $2 RETURNING number
       ) SELECT number FROM taken`,
      [id, upload.blob],
    );
    for (let from = 0; from < upload.lines.length; from += ROWS_PER_INSERT)
      await insertLines(
        sql,
        id,
        numbered!.number,
        batch.requests + from,
        upload.lines.slice(from, from + ROWS_PER_INSERT),
      );
    await sql.query(
      `UPDATE batches SET requests = requests + $2, refused = refused + $3, uploaded_bytes = uploaded_bytes + $4 WHERE id = $1`,
      [id, upload.lines.length, upload.lines.filter((line) => line.refusal !== null).length, upload.bytes],
    );
    return (await batchesWhere(sql, 'id = $1', [id]))[0]!;
  }

  private async refuseRepeated(sql: EntityManager, id: string, upload: Upload): Promise<void> {
    const [repeated] = await rows<{ line: string }>(
      sql,
      `SELECT sent.line FROM unnest($2::bytea[]) WITH ORDINALITY AS sent (digest, line)
       JOIN batch_requests kept ON kept.batch_id = $1 AND kept.custom_id_digest = sent.digest ORDER BY line LIMIT 1`,
      [id, upload.lines.map((line) => line.digest)],
    );
    if (repeated) throw new DraftRefused('repeated_custom_id', Number(repeated.line));
  }
}

function insertLines(sql: EntityManager, id: string, upload: number, first: number, lines: readonly UploadedLine[]) {
  return sql.query(
    `INSERT INTO batch_requests (batch_id, upload, position, custom_id, custom_id_digest, start, bytes, state, result)
     SELECT $1, $2, $3 + sent.line - 1, sent.custom_id, sent.digest, sent.start, sent.bytes,
       CASE WHEN sent.result IS NULL THEN 'queued' ELSE 'failed' END, sent.result
     FROM unnest($4::text[], $5::bytea[], $6::bigint[], $7::int[], $8::text[]) WITH ORDINALITY
       AS sent (custom_id, digest, start, bytes, result, line)`,
    [
      id,
      upload,
      first,
      lines.map((line) => line.customId),
      lines.map((line) => line.digest),
      lines.map((line) => line.start),
      lines.map((line) => line.bytes),
      lines.map((line) => line.refusal),
    ],
  );
}
