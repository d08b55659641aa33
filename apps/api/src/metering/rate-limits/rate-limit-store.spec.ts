import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import { MemoryRateLimitStore } from './memory-rate-limit-store.js';
import { PostgresRateLimitStore } from './postgres-rate-limit-store.js';
import { rateLimitStoreContract } from './rate-limit-store.contract.js';

describe('in memory', () => rateLimitStoreContract((nowUs) => new MemoryRateLimitStore(nowUs)));

describe('in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  rateLimitStoreContract((nowUs) => new PostgresRateLimitStore(database.source, nowUs));

  it('goes by the clock of the database, and forgets who is idle now and then', async () => {
    const store = new PostgresRateLimitStore(database.source, undefined, 3);
    const [short, long] = [1, 3_600_000].map((windowMs) => ({ limit: 1, windowMs }));
    expect(await store.take('idle', short!)).toMatchObject({ allowed: true });
    expect(await store.take('busy', long!)).toMatchObject({ allowed: true });
    await database.source.query('SELECT pg_sleep(0.01)');
    expect(await store.take('busy', long!)).toMatchObject({ allowed: false });
    const left = await database.source.query<{ subject: string }[]>(
      `SELECT subject FROM rate_limits WHERE subject IN ('idle', 'busy')`,
    );
    expect(left).toEqual([{ subject: 'busy' }]);
  });
});
