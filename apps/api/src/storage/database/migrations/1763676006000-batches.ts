import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `batches` is the one row that a reader sees: its counts move in the same transaction as the lines that they count. A line holds where its
 * request lies in its upload, and its result once there is one; uploads and result files are blobs.
 */
export class Batches1763676006000 implements MigrationInterface {
  readonly name = 'Batches1763676006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE batches (
        id text CONSTRAINT batches_pkey PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT batches_number UNIQUE,
        workspace_id text NOT NULL CONSTRAINT batches_workspace REFERENCES workspaces (id),
        key_id text NOT NULL CONSTRAINT batches_key REFERENCES api_keys (id),
        state text NOT NULL DEFAULT 'draft' CONSTRAINT batches_state
          CHECK (state IN ('draft', 'queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
        ending text CONSTRAINT batches_ending CHECK (ending IN ('failed', 'cancelled', 'expired')),
        failure text,
        requests integer NOT NULL DEFAULT 0,
        refused integer NOT NULL DEFAULT 0,
        in_progress integer NOT NULL DEFAULT 0,
        completed integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        expired integer NOT NULL DEFAULT 0,
        cancelled integer NOT NULL DEFAULT 0,
        input_tokens bigint NOT NULL DEFAULT 0,
        uploaded_bytes bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL,
        finalized_at timestamptz,
        expires_at timestamptz,
        ended_at timestamptz,
        claimed_at timestamptz,
        finishing_until timestamptz,
        results_bytes bigint,
        results_etag text,
        results_index bytea,
        results_deleted_at timestamptz,
        CONSTRAINT batches_counts CHECK (least(in_progress, completed, failed, expired, cancelled) >= 0
          AND in_progress + completed + failed + expired + cancelled <= requests)
      )`);
    await runner.query('CREATE INDEX batches_of_key ON batches (key_id, number DESC)');
    await runner.query(`CREATE INDEX batches_active ON batches (key_id) WHERE state IN ('draft', 'queued', 'running')`);
    await runner.query(`
      CREATE INDEX batches_with_results ON batches (ended_at) WHERE ended_at IS NOT NULL AND results_deleted_at IS NULL`);
    await runner.query(`
      CREATE TABLE batch_uploads (
        blob text CONSTRAINT batch_uploads_pkey PRIMARY KEY,
        batch_id text CONSTRAINT batch_uploads_batch REFERENCES batches (id),
        number integer,
        started_at timestamptz NOT NULL,
        CONSTRAINT batch_uploads_number UNIQUE (batch_id, number)
      )`);
    await runner.query('CREATE INDEX batch_uploads_unclaimed ON batch_uploads (started_at) WHERE batch_id IS NULL');
    await runner.query(`
      CREATE TABLE batch_requests (
        batch_id text NOT NULL CONSTRAINT batch_requests_batch REFERENCES batches (id),
        position integer NOT NULL,
        custom_id text NOT NULL,
        custom_id_digest bytea NOT NULL,
        upload integer NOT NULL,
        start bigint NOT NULL,
        bytes integer NOT NULL,
        state text NOT NULL DEFAULT 'queued' CONSTRAINT batch_requests_state
          CHECK (state IN ('queued', 'running', 'completed', 'failed', 'expired', 'cancelled')),
        attempts smallint NOT NULL DEFAULT 0,
        claimed_by text,
        lease_until timestamptz,
        result text,
        CONSTRAINT batch_requests_pkey PRIMARY KEY (batch_id, position),
        CONSTRAINT batch_requests_custom_id UNIQUE (batch_id, custom_id_digest)
      )`);
    await runner.query(`
      CREATE INDEX batch_requests_queued ON batch_requests (batch_id, attempts, position) WHERE state = 'queued'`);
    await runner.query(`CREATE INDEX batch_requests_running ON batch_requests (lease_until) WHERE state = 'running'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE batch_requests');
    await runner.query('DROP TABLE batch_uploads');
    await runner.query('DROP TABLE batches');
  }
}
