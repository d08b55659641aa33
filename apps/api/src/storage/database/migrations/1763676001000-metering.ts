import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Metering1763676001000 implements MigrationInterface {
  readonly name = 'Metering1763676001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_entries (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_entries_pkey PRIMARY KEY,
        workspace_id text NOT NULL CONSTRAINT ledger_entries_workspace REFERENCES workspaces (id),
        key_id text CONSTRAINT ledger_entries_key REFERENCES api_keys (id),
        model text,
        kind text NOT NULL CONSTRAINT ledger_entries_kind CHECK (kind IN
          ('decide', 'session_open', 'session_frame', 'batch_line', 'enrollment', 'top_up', 'adjustment')),
        tokens bigint NOT NULL DEFAULT 0 CONSTRAINT ledger_entries_tokens CHECK (tokens >= 0),
        amount_nano bigint NOT NULL,
        balance_change_nano bigint NOT NULL,
        balance_after_nano bigint NOT NULL CONSTRAINT ledger_entries_balance CHECK (balance_after_nano >= 0),
        reference text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ledger_entries_once UNIQUE (workspace_id, reference),
        CONSTRAINT ledger_entries_sign CHECK (
          CASE kind
            WHEN 'top_up' THEN amount_nano > 0 AND balance_change_nano = amount_nano
            WHEN 'adjustment' THEN balance_change_nano = amount_nano
            ELSE amount_nano >= 0 AND balance_change_nano IN (0, -amount_nano)
          END)
      )`);
    await runner.query('CREATE INDEX ledger_entries_by_day ON ledger_entries (workspace_id, created_at)');
    await runner.query(`
      CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
      FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()`);
    await runner.query(`
      CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`);
    await runner.query(`
      CREATE UNLOGGED TABLE rate_limits (
        subject text CONSTRAINT rate_limits_pkey PRIMARY KEY,
        free_at_us bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_limits');
    await runner.query('DROP TABLE ledger_entries');
    await runner.query('DROP FUNCTION refuse_ledger_change');
  }
}
