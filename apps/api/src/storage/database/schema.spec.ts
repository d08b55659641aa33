import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

it('the migrations make the very tables that the row classes describe', async () => {
  const { upQueries } = await database.source.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});
