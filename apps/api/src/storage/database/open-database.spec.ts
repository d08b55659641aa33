import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { checkExternal, DatabaseRefused } from './external.js';
import { openDatabase } from './open-database.js';
import { MIGRATIONS } from './schema.js';

const log = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('a database at an address', () => {
  it('is migrated once by three processes that start at once on an empty one', async () => {
    const empty = `empty_${Date.now()}`;
    await database.source.query(`CREATE DATABASE ${empty}`);
    const url = database.url.replace(/assay_test_\w+/, empty);
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url, dataFolder: '', poolSize: 2, log })));
    expect(opened.map(({ kind }) => kind)).toEqual(['external', 'external', 'external']);
    expect(await Promise.all(opened.map(({ source }) => source.query('SELECT FROM migrations')))).toEqual(
      [1, 2, 3].map(() => MIGRATIONS.map(() => ({}))),
    );
    await Promise.all(opened.map(({ close }) => close()));
    await database.source.query(`DROP DATABASE ${empty}`);
  });

  it('tells whether it answers', async () => {
    const opened = await openDatabase({ url: database.url, dataFolder: '', poolSize: 2, log });
    expect(await opened.answers()).toBe(true);
    await opened.close();
    expect(await opened.answers()).toBe(false);
  });

  it('is refused when its server is too old', async () => {
    const refused = checkExternal(database.url, 0, 99);
    await expect(refused).rejects.toThrow(DatabaseRefused);
    await expect(refused).rejects.toThrow(/names a PostgreSQL \d+; 99 or later is needed/);
  });

  it('is refused without showing its password when nobody is there', async () => {
    const refused = checkExternal('postgres://assay:hunter2@127.0.0.1:1/assay', 0);
    await expect(refused).rejects.toThrow(DatabaseRefused);
    await expect(refused).rejects.not.toThrow('hunter2');
  });
});

describe('every migration', () => {
  it('can be taken back and made again', async () => {
    for (const _ of MIGRATIONS) await database.source.undoLastMigration();
    const left = await database.source.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`,
    );
    expect(left).toEqual([]);
    expect(await database.source.runMigrations()).toHaveLength(MIGRATIONS.length);
  });
});
