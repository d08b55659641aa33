import type { DataSource } from 'typeorm';
import { PostgresWorkspaceStore } from '../../../access/workspaces/postgres-workspace-store.js';
import type { CreditHolds } from '../credit-holds.js';
import { PostgresCreditStore } from '../postgres-credit-store.js';

export type Calls = {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly name: string;
  readonly calls: number;
  readonly amountNano: bigint;
};

/** Calls as the service makes them: look at the workspace, hold the cost, work, release, charge. */
export async function chargeManyAtOnce(source: DataSource, holds: CreditHolds, { calls, name, ...paid }: Calls) {
  const credit = new PostgresCreditStore(source);
  const workspaces = new PostgresWorkspaceStore(source);
  const call = async (step: number): Promise<boolean> => {
    const workspace = await workspaces.find(paid.workspaceId);
    const hold = workspace && holds.hold(workspace, paid.amountNano);
    if (!hold) return false;
    await source.query('SELECT 1');
    hold.release();
    const reference = `${name}/${step}`;
    return (await credit.charge({ ...paid, model: 'assay-1.0', kind: 'decide', tokens: 1, reference })) === 'charged';
  };
  const outcomes = await Promise.all(Array.from({ length: calls }, (_, step) => call(step)));
  const charged = outcomes.filter(Boolean).length;
  return { charged, refused: calls - charged };
}
