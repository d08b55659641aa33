import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Access1763676000000 implements MigrationInterface {
  readonly name = 'Access1763676000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspaces (
        id text CONSTRAINT workspaces_pkey PRIMARY KEY,
        name text NOT NULL,
        suspended boolean NOT NULL DEFAULT false,
        zero_retention boolean NOT NULL DEFAULT false,
        storage_location text NOT NULL DEFAULT 'default',
        items_limit integer NOT NULL DEFAULT 1000000 CONSTRAINT workspaces_items_limit CHECK (items_limit >= 0),
        billing text NOT NULL CONSTRAINT workspaces_billing CHECK (billing IN ('prepaid', 'unlimited')),
        balance_nano bigint NOT NULL DEFAULT 0 CONSTRAINT workspaces_balance CHECK (balance_nano >= 0),
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE api_keys (
        id text CONSTRAINT api_keys_pkey PRIMARY KEY,
        workspace_id text NOT NULL CONSTRAINT api_keys_workspace REFERENCES workspaces (id),
        name text NOT NULL,
        scope text NOT NULL CONSTRAINT api_keys_scope CHECK (scope IN ('full', 'decisions')),
        hash bytea NOT NULL CONSTRAINT api_keys_hash UNIQUE,
        hint text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      )`);
    await runner.query('CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, created_at, id)');
    await runner.query('CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL');
    await runner.query(`
      CREATE FUNCTION announce_revoked_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('key_revoked', NEW.id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER api_keys_announce_revoked AFTER UPDATE OF revoked_at ON api_keys
      FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION announce_revoked_key()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_keys');
    await runner.query('DROP FUNCTION announce_revoked_key');
    await runner.query('DROP TABLE workspaces');
  }
}
