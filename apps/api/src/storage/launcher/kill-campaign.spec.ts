import { expect, it, jest } from '@jest/globals';
import { KillCampaign } from './testing/kill-campaign.js';

/** Set ASSAY_TEST_KILLS=50 for the long campaign, and ASSAY_TEST_SEED to replay one. */
const kills = Number(process.env['ASSAY_TEST_KILLS'] ?? 8);
const seed = Number(process.env['ASSAY_TEST_SEED'] ?? 1);

jest.setTimeout(120_000 + kills * 30_000);

it(`loses nothing that was acknowledged through ${kills} kills of the service and of its database`, async () => {
  const figures = await new KillCampaign(seed).run(kills);
  if (kills > 8) process.stderr.write(`${JSON.stringify(figures)}\n`);
  expect(figures).toMatchObject({ kills, lost: 0, ledgerFaults: 0, firstKeysTold: 1, workspaces: 1, leftBehind: 0 });
  expect(figures.acknowledged).toBeGreaterThan(0);
});
