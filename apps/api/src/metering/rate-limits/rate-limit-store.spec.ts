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

  it('goes by the clock of the database and forgets who is idle', async () => {
    const store = new PostgresRateLimitStore(database.source);
    const [idle, busy] = ['idle', 'busy'];
    expect(await store.take(idle, { limit: 1, windowMs: 1 })).toMatchObject({ allowed: true });
    expect(await store.take(busy, { limit: 1, windowMs: 3_600_000 })).toMatchObject({ allowed: true });
    expect(await store.take(busy, { limit: 1, windowMs: 3_600_000 })).toMatchObject({ allowed: false });
    await database.source.query('SELECT pg_sleep(0.01)');
    await store.forgetIdle();
    const left = await database.source.query<{ subject: string }[]>(
      `SELECT subject FROM rate_limits WHERE subject IN ('idle', 'busy')`,
    );
    expect(left).toEqual([{ subject: 'busy' }]);
  });
});
