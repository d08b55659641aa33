import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Models } from '@assay/inference';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { issueKey } from '../access/keys/issue-key.js';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { createApplication } from '../boot/application.js';
import { listen } from '../boot/listen.js';
import type { Clock } from '../clock.js';
import { loadConfig } from '../config/load.js';
import { contractDocuments } from '../docs/documents.js';
import { engineCheck } from '../health/engine-check.js';
import { ModelCatalog } from '../models/catalog.js';
import { FolderBlobStore } from '../storage/blobs/folder-blob-store.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { EngineMetrics } from '../telemetry/engine-metrics.js';
import { createLog } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';

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
  routes: readonly Route[];
  app: NestExpressApplication;
  models: Models;
  newKey(workspaceId: string, scope?: 'full' | 'decisions'): Promise<string>;
  newWorkspace(billing: 'prepaid' | 'unlimited'): Promise<string>;
  close(): Promise<void>;
}

interface Route {
  method: string;
  path: string;
}

interface RouterLayer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** What the router answers, read from the router itself. */
function routesOf(app: NestExpressApplication): Route[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: RouterLayer[] } };
  return router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((method) => ({ method: method.toUpperCase(), path: route?.path ?? '' })),
  );
}

/** `on` joins another service's database, as a second process of one deployment. */
export async function startTestService(
  env: NodeJS.ProcessEnv = {},
  on?: TestService,
  clock?: Clock,
): Promise<TestService> {
  const database = on?.database ?? (await openTestDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'assay-service-'));
  // A model of random weights, right in every shape: its answers mean nothing, but they are real answers.
  writeTinyBundle(join(folder, 'models'));
  const logged: string[] = [];
  const metrics = new Metrics();
  const activity = new EngineMetrics(metrics);
  const models = await Models.open({ roots: [join(folder, 'models')], threads: 1, onEvent: activity.count });
  const catalog = new ModelCatalog(models.list());
  const app = await createApplication({
    config: loadConfig({ ASSAY_CHECK_RESPONSES: 'on', ASSAY_REQUESTS_PER_MINUTE: '1000000', ...env }),
    ...(clock && { clock }),
    log: createLog('debug', { write: (line) => logged.push(line) }),
    metrics,
    database: { ...database, kind: 'external', answers: async () => database.source.isInitialized },
    blobs: await FolderBlobStore.open(join(folder, 'blobs')),
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
    routes: routesOf(app),
    app,
    models,
    newKey,
    newWorkspace,
    close: async () => {
      await app.close();
      await models.close();
      if (!on) await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
