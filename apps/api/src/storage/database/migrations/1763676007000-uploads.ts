import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Uploads1763676007000 implements MigrationInterface {
  readonly name = 'Uploads1763676007000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE uploads (
        id text CONSTRAINT uploads_pkey PRIMARY KEY,
        workspace_id text NOT NULL CONSTRAINT uploads_workspace REFERENCES workspaces (id),
        media_type text NOT NULL,
        bytes integer NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX uploads_expiry ON uploads (expires_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE uploads');
  }
}
