import { expect, test } from '@jest/globals';
import { issueKey } from '../../access/keys/issue-key.js';
import { PostgresKeyStore } from '../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import { openTestDatabase } from '../../storage/testing/test-database.js';
import { KillCampaign } from '../testing/kill-campaign.js';

/** Set ASSAY_TEST_KILLS=200 for the long campaign, and ASSAY_TEST_SEED to replay one. */
const kills = Number(process.env['ASSAY_TEST_KILLS'] ?? 5);
const seed = Number(process.env['ASSAY_TEST_SEED'] ?? 1);
const MOST_MS = 180_000 + kills * 30_000;

test(
  `${kills} kills while faces are enrolled with keys: one item, one bill and the same body each`,
  async () => {
    const database = await openTestDatabase();
    const { source } = database;
    const workspace = await new PostgresWorkspaceStore(source).create({ name: 'campaign', billing: 'prepaid' });
    const credit = new PostgresCreditStore(source);
    await credit.grant({ workspaceId: workspace.id, kind: 'top_up', amountNano: 10n ** 12n, reference: 'top up' });
    const { secret } = await issueKey(new PostgresKeyStore(source), {
      ...workspace,
      workspaceId: workspace.id,
      scope: 'full',
    });
    const figures = await new KillCampaign({ database, key: secret, kills, seed }).run();
    if (kills > 20) process.stderr.write(`${JSON.stringify(figures)}\n`);

    expect(figures).toMatchObject({ kills, faults: [] });
    expect(figures.enrolled).toBeGreaterThan(1);
    const [items] = await source.query(
      'SELECT count(*)::int AS all, count(DISTINCT reference)::int AS turns FROM face_items',
    );
    expect(items).toEqual({ all: figures.enrolled, turns: figures.enrolled });
    const [bills] = await source.query(`
      SELECT count(*)::int AS all, count(face_items.id)::int AS of_items FROM ledger_entries
      LEFT JOIN face_items ON face_items.id = ledger_entries.reference WHERE kind = 'enrollment'`);
    expect(bills).toEqual({ all: figures.enrolled + figures.withoutFace, of_items: figures.enrolled });
    const [counted] = await source.query('SELECT items FROM face_collections');
    expect(counted).toEqual({ items: figures.enrolled });
    expect(await credit.verify()).toEqual([]);
    await database.close();
  },
  MOST_MS,
);
