import type { DatabaseAddress } from './address.js';
import { createMigrationSource } from './data-source.js';

/** Any constant will do, as long as nothing else in the database takes the same one. */
const MIGRATION_LOCK = 4_271_001;

/**
 * Brings the schema up to date. Processes that start at once take turns: the first one migrates, the others find nothing to do. The lock
 * belongs to a connection, so a process that is killed half-way gives it back, and its open migration is undone.
 */
export async function migrate(address: DatabaseAddress): Promise<string[]> {
  const source = await createMigrationSource(address).initialize();
  try {
    const lock = source.createQueryRunner();
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const applied = await source.runMigrations({ transaction: 'each' });
      return applied.map((migration) => migration.name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await lock.release();
    }
  } finally {
    await source.destroy();
  }
}
