import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Idempotency1763676002000 implements MigrationInterface {
  readonly name = 'Idempotency1763676002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id text NOT NULL CONSTRAINT idempotency_keys_workspace REFERENCES workspaces (id),
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        claim text NOT NULL,
        lease_until timestamptz NOT NULL,
        response jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, key)
      )`);
    await runner.query('CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
