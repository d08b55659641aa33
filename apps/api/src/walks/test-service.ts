import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Models } from '@assay/inference';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { issueKey } from '../access/keys/issue-key.js';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { createApplication } from '../boot/application.js';
import { listen } from '../boot/listen.js';
import { loadConfig } from '../config/load.js';
import { contractDocuments } from '../docs/documents.js';
import { engineCheck } from '../health/engine-check.js';
import { ModelCatalog } from '../models/catalog.js';
import { FolderBlobStore } from '../storage/blobs/folder-blob-store.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { EngineMetrics } from '../telemetry/engine-metrics.js';
import { createLog } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';

/** A model of random weights, right in every shape: its answers mean nothing, but they are real answers. */
function tinyModels(): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-models-'));
  writeTinyBundle(root);
  return root;
}

/** The whole application on a database of its own, called over real HTTP. */
export interface TestService {
  url: string;
  database: TestDatabase;
  workspaceId: string;
  /** Full access, of the first workspace. */
  key: string;
  decisionsKey: string;
  revokedKey: string;
  /** Full access, of another workspace. */
  otherKey: string;
  suspendedKey: string;
  /** Full access, of a workspace stored elsewhere. */
  distantKey: string;
  /** What was logged so far, line by line. */
  logged: string[];
  newKey(workspaceId: string, scope?: 'full' | 'decisions'): Promise<string>;
  newWorkspace(billing: 'prepaid' | 'unlimited'): Promise<string>;
  close(): Promise<void>;
}

export async function startTestService(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const database = await openTestDatabase();
  const logged: string[] = [];
  const metrics = new Metrics();
  const activity = new EngineMetrics(metrics);
  const models = await Models.open({ roots: [tinyModels()], threads: 1, onEvent: activity.count });
  const catalog = new ModelCatalog(models.list());
  const app = await createApplication({
    config: loadConfig({ ASSAY_CHECK_RESPONSES: 'on', ASSAY_REQUESTS_PER_MINUTE: '1000000', ...env }),
    log: createLog('debug', { write: (line) => logged.push(line) }),
    metrics,
    database: { ...database, kind: 'external', answers: async () => database.source.isInitialized },
    blobs: await FolderBlobStore.open(mkdtempSync(join(tmpdir(), 'assay-blobs-'))),
    catalog,
    documents: contractDocuments(),
    dependencies: [
      { name: 'database', ask: () => database.source.query('SELECT 1') },
      engineCheck(catalog.engines, activity),
    ],
  });
  const url = await listen(app.getHttpServer(), '127.0.0.1', 0);

  const workspaces = new PostgresWorkspaceStore(database.source);
  const keys = new PostgresKeyStore(database.source);
  const newWorkspace = async (billing: 'prepaid' | 'unlimited') =>
    (await workspaces.create({ name: billing, billing })).id;
  const newKey = async (workspaceId: string, scope: 'full' | 'decisions' = 'full') =>
    (await issueKey(keys, { workspaceId, name: 'test', scope })).secret;

  const workspaceId = await newWorkspace('unlimited');
  const suspended = await newWorkspace('unlimited');
  await workspaces.update(suspended, { suspended: true });
  const distant = await newWorkspace('unlimited');
  await workspaces.update(distant, { storageLocation: 'elsewhere' });
  const revoked = await issueKey(keys, { workspaceId, name: 'revoked', scope: 'full' });
  await keys.revoke(workspaceId, revoked.key.id);
  return {
    url,
    database,
    workspaceId,
    key: await newKey(workspaceId),
    decisionsKey: await newKey(workspaceId, 'decisions'),
    revokedKey: revoked.secret,
    otherKey: await newKey(await newWorkspace('unlimited')),
    suspendedKey: await newKey(suspended),
    distantKey: await newKey(distant),
    logged,
    newKey,
    newWorkspace,
    close: async () => {
      await app.close();
      await models.close();
      await database.close();
    },
  };
}
