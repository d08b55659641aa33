import { describe, expect, it } from '@jest/globals';
import { FakeWorkspaceStore } from '../../access/workspaces/workspace-store.fake.js';
import { CreditHolds } from './credit-holds.js';

const workspaceWith = async (balanceNano: bigint, billing: 'prepaid' | 'unlimited' = 'prepaid') => {
  const workspace = await new FakeWorkspaceStore().create({ name: 'acme', billing });
  return { ...workspace, balanceNano };
};

describe('a hold on credit', () => {
  it('counts what running calls may cost as spent', async () => {
    const holds = new CreditHolds();
    const workspace = await workspaceWith(100n);
    expect(holds.hold(workspace, 60n)).toBeDefined();
    expect(holds.hold(workspace, 41n)).toBeUndefined();
    expect(holds.hold(workspace, 40n)).toBeDefined();
  });

  it('frees its amount once, however often it is released', async () => {
    const holds = new CreditHolds();
    const workspace = await workspaceWith(100n);
    const first = holds.hold(workspace, 60n);
    holds.hold(workspace, 40n);
    first?.release();
    first?.release();
    expect(holds.hold(workspace, 61n)).toBeUndefined();
    expect(holds.hold(workspace, 60n)).toBeDefined();
  });

  it('does not mix workspaces', async () => {
    const holds = new CreditHolds();
    holds.hold(await workspaceWith(100n), 100n);
    expect(holds.hold(await workspaceWith(100n), 100n)).toBeDefined();
  });

  it('never stands in the way of unlimited billing', async () => {
    const holds = new CreditHolds();
    const workspace = await workspaceWith(0n, 'unlimited');
    holds.hold(workspace, 100n);
    expect(holds.hold(workspace, 100n)).toBeDefined();
  });
});
