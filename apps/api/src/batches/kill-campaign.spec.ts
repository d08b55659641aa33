import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { issueKey } from '../access/keys/issue-key.js';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { openDatabase } from '../storage/database/open-database.js';
import { openTestDatabase } from '../storage/testing/test-database.js';
import { Fleet } from './testing/fleet.js';
import { type CampaignFigures, KillCampaign } from './testing/kill-campaign.js';

/** Set ASSAY_TEST_KILLS=100 and ASSAY_TEST_LINES=2000 for the long campaign, and ASSAY_TEST_SEED to replay one. */
const kills = Number(process.env['ASSAY_TEST_KILLS'] ?? 6);
const lines = Number(process.env['ASSAY_TEST_LINES'] ?? 120);
const seed = Number(process.env['ASSAY_TEST_SEED'] ?? 1);
const MOST_MS = 180_000 + kills * 60_000;

const silent = { info: () => undefined, warn: () => undefined };

function settings(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-campaign-'));
  writeTinyBundle(join(folder, 'models'));
  return {
    ASSAY_DATA_DIR: folder,
    ASSAY_MODELS_DIR: join(folder, 'models'),
    ASSAY_PORT: '0',
    ASSAY_THREADS: '1',
    ASSAY_REQUESTS_PER_MINUTE: '1000000',
  };
}

function told(figures: CampaignFigures): CampaignFigures {
  if (kills > 20) process.stderr.write(`${JSON.stringify({ ...figures, faults: figures.faults.length })}\n`);
  return figures;
}

const SOUND = { faults: [] };

test(
  `one process on the embedded database: ${kills} kills lose and double nothing`,
  async () => {
    const env = settings();
    const fleet = new Fleet(1, env);
    const key = await fleet.start(0);
    // A second user of the embedded server: it stays when the service is killed, and here is looked into.
    const dataFolder = join(env['ASSAY_DATA_DIR']!, 'database');
    const database = await openDatabase({ dataFolder, poolSize: 2, log: silent });
    const { source } = database;
    const campaign = new KillCampaign({
      fleet,
      processes: 1,
      key: key!,
      model: 'tiny-latest',
      source,
      lines,
      kills,
      seed,
    });
    const figures = told(await campaign.run());
    await fleet.stop();
    await database.close();
    expect(figures).toMatchObject(SOUND);
    expect(figures.kills).toBe(kills);
  },
  MOST_MS,
);

test(
  `two processes on one external database: ${kills} kills lose and double nothing`,
  async () => {
    const { source, url, close } = await openTestDatabase();
    const workspace = await new PostgresWorkspaceStore(source).create({ name: 'w', billing: 'unlimited' });
    const { secret } = await issueKey(new PostgresKeyStore(source), {
      workspaceId: workspace.id,
      name: 'k',
      scope: 'full',
    });
    const fleet = new Fleet(2, { ...settings(), ASSAY_DATABASE_URL: url });
    await Promise.all([fleet.start(0), fleet.start(1)]);
    const campaign = new KillCampaign({
      fleet,
      processes: 2,
      key: secret,
      model: 'tiny-latest',
      source,
      lines,
      kills,
      seed,
    });
    const figures = told(await campaign.run());
    await fleet.stop();
    await close();
    expect(figures).toMatchObject(SOUND);
  },
  MOST_MS,
);
