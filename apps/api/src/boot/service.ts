import { Models } from '@assay/inference';
import { ensureFirstWorkspace } from '../access/first-workspace.js';
import type { Config } from '../config/load.js';
import { contractDocuments } from '../docs/documents.js';
import { engineCheck } from '../health/engine-check.js';
import { type Dependency, Readiness } from '../health/readiness.js';
import { closeServer } from '../http/shutdown.js';
import { ModelCatalog } from '../models/catalog.js';
import { SessionKeeper } from '../sessions/session-keeper.js';
import { openBlobStore } from '../storage/blobs/open-blob-store.js';
import type { Database } from '../storage/database/open-database.js';
import { EngineMetrics } from '../telemetry/engine-metrics.js';
import type { Log } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';
import { startTraces } from '../telemetry/traces.js';
import { createApplication } from './application.js';
import type { Started } from './banner.js';
import { openConfiguredDatabase } from './database.js';
import { listen } from './listen.js';

const MIB = 1024 ** 2;

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

const openModels = (config: Config, activity: EngineMetrics): Promise<Models> =>
  Models.open({
    roots: [config.ASSAY_MODELS_DIR],
    threads: config.ASSAY_THREADS,
    contextBytes: config.ASSAY_MEMORY_MB && config.ASSAY_MEMORY_MB * MIB,
    onEvent: activity.count,
  });

const databaseCheck = (database: Database): Dependency => ({
  name: 'database',
  ask: async () => {
    if (!(await database.answers())) throw new Error('the database does not answer');
  },
});

/** Everything from a configuration to a listening service; on the way to a failure, what was opened is closed again. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const opened = new Opened();
  try {
    const traces = await startTraces(config.ASSAY_OTEL_ENDPOINT);
    opened.add(() => traces.stop());
    const database = await openConfiguredDatabase(config, log);
    opened.add(() => database.close());
    const blobs = await openBlobStore({
      place: config.ASSAY_BLOBS,
      dataFolder: config.ASSAY_DATA_DIR,
      accessKeyId: config.ASSAY_S3_ACCESS_KEY_ID,
      secretAccessKey: config.ASSAY_S3_SECRET_ACCESS_KEY,
    });
    const first = await ensureFirstWorkspace(database.source);
    const metrics = new Metrics();
    const activity = new EngineMetrics(metrics);
    const models = await openModels(config, activity);
    opened.add(() => models.close());
    const catalog = new ModelCatalog(models.list());
    const dependencies = [databaseCheck(database), engineCheck(catalog.engines, activity)];
    const documents = contractDocuments();
    const app = await createApplication({ config, log, metrics, database, blobs, catalog, documents, dependencies });
    opened.add(() => app.close());
    const url = await listen(app.getHttpServer(), config.ASSAY_HOST, config.ASSAY_PORT);
    opened.add(async () => {
      app.get(Readiness).stop();
      const graceMs = config.ASSAY_SHUTDOWN_SECONDS * 1_000;
      const [outcome] = await Promise.all([
        closeServer(app.getHttpServer(), graceMs),
        app.get(SessionKeeper).stop(graceMs),
      ]);
      log.info({ outcome }, 'stopped taking calls');
    });
    log.info({ url, models: catalog.engines.map(({ model }) => model.id), database: database.kind }, 'serving');
    return {
      url,
      firstKey: first?.secret,
      model: catalog.engines[0]?.model.aliases[0] ?? catalog.engines[0]?.model.id,
      close: () => opened.close(log),
    };
  } catch (error) {
    await opened.close(log);
    throw error;
  }
}
