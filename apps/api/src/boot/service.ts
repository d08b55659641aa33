import { join } from 'node:path';
import { ensureFirstWorkspace } from '../access/first-workspace.js';
import type { Config } from '../config/load.js';
import { contractDocuments } from '../docs/documents.js';
import { Readiness } from '../health/readiness.js';
import { closeServer } from '../http/shutdown.js';
import { ModelCatalog } from '../models/catalog.js';
import { type Database, openDatabase } from '../storage/database/open-database.js';
import type { Log } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';
import { startTraces } from '../telemetry/traces.js';
import { createApplication } from './application.js';
import type { Started } from './banner.js';
import { listen } from './listen.js';

export interface Service extends Started {
  /** Stops taking calls, lets those in flight finish, and closes everything. */
  close(): Promise<void>;
}

/** Closes what was opened, last first, whatever becomes of each. */
class Opened {
  private readonly closers: (() => Promise<unknown>)[] = [];

  add(closer: () => Promise<unknown>): void {
    this.closers.unshift(closer);
  }

  async close(log: Log): Promise<void> {
    for (const closer of this.closers.splice(0))
      await closer().catch(() => log.warn('something did not close cleanly'));
  }
}

export const openConfiguredDatabase = (config: Config, log: Pick<Log, 'info' | 'warn'>): Promise<Database> =>
  openDatabase({
    url: config.ASSAY_DATABASE_URL,
    dataFolder: join(config.ASSAY_DATA_DIR, 'database'),
    poolSize: config.ASSAY_DATABASE_POOL,
    log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
  });

/** Everything from a configuration to a listening service; on the way to a failure, what was opened is closed again. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const opened = new Opened();
  try {
    const traces = await startTraces(config.ASSAY_OTEL_ENDPOINT);
    opened.add(() => traces.stop());
    const database = await openConfiguredDatabase(config, log);
    opened.add(() => database.close());
    const first = await ensureFirstWorkspace(database.source);
    const catalog = new ModelCatalog([]);

    const metrics = new Metrics();
    const app = await createApplication({ config, log, metrics, database, catalog, documents: contractDocuments() });
    opened.add(() => app.close());
    const url = await listen(app.getHttpServer(), config.ASSAY_HOST, config.ASSAY_PORT);
    opened.add(async () => {
      app.get(Readiness).stop();
      const outcome = await closeServer(app.getHttpServer(), config.ASSAY_SHUTDOWN_SECONDS * 1_000);
      log.info({ outcome }, 'stopped taking calls');
    });
    log.info({ url, models: catalog.models.map(({ id }) => id), database: database.kind }, 'serving');
    return {
      url,
      firstKey: first?.secret,
      model: catalog.models[0]?.aliases[0] ?? catalog.models[0]?.id,
      close: () => opened.close(log),
    };
  } catch (error) {
    await opened.close(log);
    throw error;
  }
}
