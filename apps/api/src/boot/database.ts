import { join } from 'node:path';
import type { Config } from '../config/load.js';
import { type Database, openDatabase } from '../storage/database/open-database.js';
import type { Log } from '../telemetry/log.js';

/** The database that a configuration names: an external one, or the embedded one in the data folder. */
export const openConfiguredDatabase = (config: Config, log: Pick<Log, 'info' | 'warn'>): Promise<Database> =>
  openDatabase({
    url: config.ASSAY_DATABASE_URL,
    dataFolder: join(config.ASSAY_DATA_DIR, 'database'),
    poolSize: config.ASSAY_DATABASE_POOL,
    log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
  });
