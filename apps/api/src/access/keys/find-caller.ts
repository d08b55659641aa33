import type { DataSource } from 'typeorm';
import type { Billing } from '../workspaces/workspace.js';
import type { Caller, KeyScope } from './api-key.js';

/** The one query that every call makes: written out, because mapping it through the ORM takes longer than answering it. */
const BY_HASH = `
  SELECT k.id, k.workspace_id, k.name, k.scope, k.hint, k.hash, k.created_at, k.revoked_at,
    w.name AS workspace_name, w.suspended, w.zero_retention, w.storage_location, w.items_limit, w.billing, w.balance_nano,
    w.created_at AS workspace_created_at
  FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL`;

type Found = {
  id: string;
  workspace_id: string;
  name: string;
  scope: KeyScope;
  hint: string;
  hash: Buffer;
  created_at: Date;
  revoked_at: Date | null;
  workspace_name: string;
  suspended: boolean;
  zero_retention: boolean;
  storage_location: string;
  items_limit: number;
  billing: Billing;
  balance_nano: string;
  workspace_created_at: Date;
};

export async function findCaller(
  database: Pick<DataSource, 'query'>,
  hash: Buffer,
): Promise<(Caller & { readonly hash: Buffer }) | undefined> {
  const [found] = await database.query<Found[]>(BY_HASH, [hash]);
  if (!found) return undefined;
  const { id, workspace_id: workspaceId, name, scope, hint, suspended, billing } = found;
  return {
    hash: found.hash,
    key: { id, workspaceId, name, scope, hint, createdAt: found.created_at, revokedAt: found.revoked_at },
    workspace: {
      id: workspaceId,
      name: found.workspace_name,
      suspended,
      zeroRetention: found.zero_retention,
      storageLocation: found.storage_location,
      itemsLimit: found.items_limit,
      billing,
      balanceNano: BigInt(found.balance_nano),
      createdAt: found.workspace_created_at,
    },
  };
}
