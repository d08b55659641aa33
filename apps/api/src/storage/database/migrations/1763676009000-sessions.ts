import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What outlives the process that holds a session: who opened it, and what it came to. The counts move in the transaction that charges
 * a frame, so a session that has ended says for ever what was answered and billed. A holder is a running process.
 */
export class Sessions1763676009000 implements MigrationInterface {
  readonly name = 'Sessions1763676009000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE session_holders (
        id text CONSTRAINT session_holders_pkey PRIMARY KEY,
        alive_until timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE sessions (
        id text CONSTRAINT sessions_pkey PRIMARY KEY,
        workspace_id text NOT NULL CONSTRAINT sessions_workspace REFERENCES workspaces (id),
        key_id text NOT NULL CONSTRAINT sessions_key REFERENCES api_keys (id),
        holder text NOT NULL,
        opened_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        frames bigint NOT NULL DEFAULT 0,
        input_tokens bigint NOT NULL DEFAULT 0,
        ended_at timestamptz,
        reason text CONSTRAINT sessions_reason CHECK (reason IN ('deleted', 'ttl_elapsed', 'client_closed', 'server_shutdown',
          'key_refused', 'client_too_slow', 'protocol_error')),
        CONSTRAINT sessions_end CHECK ((ended_at IS NULL) = (reason IS NULL))
      )`);
    await runner.query('CREATE INDEX sessions_open_of_key ON sessions (key_id) WHERE ended_at IS NULL');
    await runner.query('CREATE INDEX sessions_open_of_holder ON sessions (holder) WHERE ended_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sessions');
    await runner.query('DROP TABLE session_holders');
  }
}
