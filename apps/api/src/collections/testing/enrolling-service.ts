import 'reflect-metadata';
import { createApplication } from '../../boot/application.js';
import { listen } from '../../boot/listen.js';
import { loadConfig } from '../../config/load.js';
import { contractDocuments } from '../../docs/documents.js';
import { ModelCatalog } from '../../models/catalog.js';
import { FolderBlobStore } from '../../storage/blobs/folder-blob-store.js';
import { openDatabase } from '../../storage/database/open-database.js';
import { createLog } from '../../telemetry/log.js';
import { Metrics } from '../../telemetry/metrics.js';

/** The service without models for text, as a process of its own on the database and the blob folder of its arguments. */
const [url = '', folder = ''] = process.argv.slice(2);
const log = createLog('error');
const database = await openDatabase({ url, dataFolder: folder, poolSize: 4, log });
const app = await createApplication({
  config: loadConfig({ ASSAY_REQUESTS_PER_MINUTE: '1000000', ASSAY_THREADS: '1' }),
  log,
  metrics: new Metrics(),
  database,
  blobs: await FolderBlobStore.open(folder),
  catalog: new ModelCatalog([]),
  documents: contractDocuments(),
  dependencies: [],
});
const address = await listen(app.getHttpServer(), '127.0.0.1', 0);
process.stdout.write(`${JSON.stringify({ event: 'serving', url: address })}\n`);
