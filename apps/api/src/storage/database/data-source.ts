import { DataSource } from 'typeorm';
import { type DatabaseAddress } from './address.js';
import { MIGRATIONS, TABLES } from './schema.js';

export type PoolSettings = { readonly poolSize: number };

/** A caller waits this long for a free connection; then the request is refused as overload instead of piling up. */
const CONNECTION_WAIT_MS = 10_000;
const STATEMENT_TIME_MS = 30_000;
const IDLE_TRANSACTION_TIME_MS = 30_000;

export function createDataSource(address: DatabaseAddress, pool: PoolSettings): DataSource {
  return new DataSource({
    ...base(address),
    poolSize: pool.poolSize,
    connectTimeoutMS: CONNECTION_WAIT_MS,
    extra: {
      application_name: 'assay',
      statement_timeout: STATEMENT_TIME_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIME_MS,
      keepAlive: true,
    },
  });
}

/** For migrations alone: a long one must not be cut off by the time limits of requests. */
export function createMigrationSource(address: DatabaseAddress): DataSource {
  return new DataSource({ ...base(address), poolSize: 2, extra: { application_name: 'assay-migration' } });
}

function base(address: DatabaseAddress) {
  const place =
    'url' in address
      ? { url: address.url }
      : { host: address.host, username: address.user, database: address.database };
  return {
    type: 'postgres' as const,
    ...place,
    uuidExtension: 'pgcrypto' as const,
    installExtensions: false,
    entities: [...TABLES],
    migrations: [...MIGRATIONS],
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    poolErrorHandler: () => undefined,
  };
}
