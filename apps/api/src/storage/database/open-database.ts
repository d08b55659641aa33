import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { EmbeddedPostgres, type LauncherLog } from '../launcher/embedded-postgres.js';
import type { DatabaseAddress } from './address.js';
import { createDataSource } from './data-source.js';
import { checkExternal } from './external.js';
import { migrate } from './migrate.js';
import { isDatabaseOutage } from './outage.js';

const START_TIME_MS = 60_000;
const PAUSE_MS = 200;

export type DatabaseOptions = {
  /** An external server; without it the embedded one runs on `dataFolder`. */
  readonly url?: string | undefined;
  readonly dataFolder: string;
  readonly poolSize: number;
  readonly log: LauncherLog;
};

export type Database = {
  readonly kind: 'embedded' | 'external';
  readonly address: DatabaseAddress;
  readonly source: DataSource;
  /** Asks the server itself. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
};

/** A migrated database with a pool of connections; `close` also stops the embedded server when nobody else uses it. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const embedded = options.url ? undefined : await EmbeddedPostgres.start(options.dataFolder, options.log);
  try {
    if (options.url) await checkExternal(options.url);
    const address = embedded?.address ?? { url: options.url! };
    const applied = await throughOutages(() => migrate(address));
    if (applied.length > 0) options.log.info(`migrated the database: ${applied.join(', ')}`);
    const source = await throughOutages(() => createDataSource(address, options).initialize());
    return {
      kind: embedded ? 'embedded' : 'external',
      address,
      source,
      answers: () =>
        source.query('SELECT 1').then(
          () => true,
          () => false,
        ),
      close: async () => {
        await source.destroy();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** A server that is killed while we migrate is started again by the launcher; the migration then begins anew. */
async function throughOutages<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + START_TIME_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
