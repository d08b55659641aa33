import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { DatabaseAddress } from '../database/address.js';
import { createDataSource } from '../database/data-source.js';
import { migrate } from '../database/migrate.js';
import { MIGRATIONS } from '../database/schema.js';
import { EmbeddedPostgres, type SocketAddress } from '../launcher/embedded-postgres.js';

export type TestDatabase = {
  readonly source: DataSource;
  readonly address: DatabaseAddress;
  /** The same database for a program that is given an `ASSAY_DATABASE_URL`. */
  readonly url: string;
  close(): Promise<void>;
};

/** The very first start makes a data folder, which takes seconds on a busy machine. */
jest.setTimeout(120_000);

/** Kept between runs, so that only the first one ever makes a data folder; one per checkout. */
const FOLDER = join(
  tmpdir(),
  `assay-tests-${createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 12)}`,
);
const TEMPLATE = `assay_template_${createHash('sha256').update(MIGRATIONS.map(String).join()).digest('hex').slice(0, 12)}`;
const TEMPLATE_LOCK = 4_271_100;
const silent = { info: () => undefined, warn: () => undefined };

/**
 * A fresh, migrated database of its own for a spec file, on one embedded server that all test workers share. Open it in `beforeAll` and
 * close it in `afterAll`; the last file to close stops the server.
 */
export async function openTestDatabase(poolSize = 10): Promise<TestDatabase> {
  const server = await EmbeddedPostgres.start(FOLDER, silent);
  const database = `assay_test_${Math.floor(Date.now() / 1_000)}_${randomBytes(6).toString('hex')}`;
  await asOwner(server.address, async (owner) => {
    await ensureTemplate(owner, server.address);
    await dropAbandoned(owner);
    await owner.query(`CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
  });
  const address = { ...server.address, database };
  const source = await createDataSource(address, { poolSize }).initialize();
  return {
    source,
    address,
    url: `postgres://${address.user}@localhost/${database}?host=${encodeURIComponent(address.host)}`,
    close: async () => {
      await source.destroy();
      await asOwner(server.address, (owner) => owner.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
      await server.stop();
    },
  };
}

/** The template carries a hash of the migrations in its name: changed migrations get a new one. */
async function ensureTemplate(owner: pg.Client, address: SocketAddress): Promise<void> {
  await owner.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const found = await owner.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [TEMPLATE]);
  if (found.rowCount) return;
  await owner.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await owner.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrate({ ...address, database: TEMPLATE });
  await owner.query(`ALTER DATABASE ${TEMPLATE} IS_TEMPLATE true`);
}

/** What a killed test run left, once it is an hour old. */
async function dropAbandoned(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^assay_test_\\d+_'
      AND split_part(datname, '_', 3)::bigint < extract(epoch FROM now()) - 3600`,
  );
  for (const { name } of rows) await owner.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => undefined);
}

async function asOwner<T>(address: SocketAddress, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ ...address });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}
