import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Collections1763676010000 implements MigrationInterface {
  readonly name = 'Collections1763676010000';

  async up(runner: QueryRunner): Promise<void> {
    // Without a workspace it is public, and its id is its name. `changes` counts what was added and removed: memory copies follow it.
    await runner.query(`
      CREATE TABLE face_collections (
        id text CONSTRAINT face_collections_pkey PRIMARY KEY,
        workspace_id text CONSTRAINT face_collections_workspace REFERENCES workspaces (id),
        name text NOT NULL,
        description text,
        items integer NOT NULL DEFAULT 0 CONSTRAINT face_collections_items CHECK (items >= 0),
        changes bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX face_collections_newest ON face_collections (workspace_id, created_at DESC, id)');
    // `change` is the count of the collection when the item was added: it orders items and names them in memory copies.
    await runner.query(`
      CREATE TABLE face_items (
        id text CONSTRAINT face_items_pkey PRIMARY KEY,
        collection_id text NOT NULL CONSTRAINT face_items_collection
          REFERENCES face_collections (id) ON DELETE CASCADE ON UPDATE CASCADE,
        change bigint NOT NULL,
        reference text NOT NULL,
        label text,
        metadata text NOT NULL,
        faces_found integer NOT NULL,
        box text NOT NULL,
        template bytea NOT NULL CONSTRAINT face_items_template CHECK (length(template) = 128),
        face_model text NOT NULL,
        price_nano bigint NOT NULL CONSTRAINT face_items_price CHECK (price_nano >= 0),
        created_at timestamptz NOT NULL,
        CONSTRAINT face_items_change UNIQUE (collection_id, change)
      )`);
    await runner.query('CREATE INDEX face_items_reference ON face_items (collection_id, reference, change)');
    await runner.query(`
      CREATE TABLE face_removals (
        collection_id text NOT NULL CONSTRAINT face_removals_collection
          REFERENCES face_collections (id) ON DELETE CASCADE ON UPDATE CASCADE,
        change bigint NOT NULL,
        removed bigint NOT NULL,
        removed_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT face_removals_pkey PRIMARY KEY (collection_id, change)
      )`);
    await runner.query('CREATE INDEX face_removals_age ON face_removals (removed_at)');
    await runner.query(`
      CREATE TABLE face_counts (
        workspace_id text CONSTRAINT face_counts_pkey PRIMARY KEY
          CONSTRAINT face_counts_workspace REFERENCES workspaces (id),
        items integer NOT NULL CONSTRAINT face_counts_items CHECK (items >= 0)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE face_counts');
    await runner.query('DROP TABLE face_removals');
    await runner.query('DROP TABLE face_items');
    await runner.query('DROP TABLE face_collections');
  }
}
