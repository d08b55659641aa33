import type { DataSource } from 'typeorm';
import { issueKey } from './keys/issue-key.js';
import { PostgresKeyStore } from './keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from './workspaces/postgres-workspace-store.js';
import type { Workspace } from './workspaces/workspace.js';

const FIRST_WORKSPACE_LOCK = 4_271_002;

/**
 * On an empty database, one workspace with a Full access key. Of several processes that start at once only the one that made it gets
 * the key, to print it; it is not stored and cannot be read again.
 */
export function ensureFirstWorkspace(
  source: DataSource,
): Promise<{ workspace: Workspace; secret: string } | undefined> {
  return source.transaction(async (manager) => {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [FIRST_WORKSPACE_LOCK]);
    const workspaces = new PostgresWorkspaceStore(manager);
    if ((await workspaces.list({ offset: 0, limit: 1 })).length > 0) return undefined;
    const workspace = await workspaces.create({ name: 'First workspace', billing: 'unlimited' });
    const { secret } = await issueKey(new PostgresKeyStore(manager), {
      workspaceId: workspace.id,
      name: 'First key',
      scope: 'full',
    });
    return { workspace, secret };
  });
}
