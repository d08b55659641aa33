import type { KeyScope } from '../access/keys/api-key.js';
import { issueKey } from '../access/keys/issue-key.js';
import { type Option, UsageError } from './command.js';
import type { AdminCommand } from './deployment.js';
import { table } from './table.js';

const OWNER: Record<string, Option> = { workspace: { meaning: 'Id of the workspace', value: 'id', required: true } };

const SCOPES: Record<string, KeyScope> = { full: 'full', decisions: 'decisions' };

function scopeOf(written: string): KeyScope {
  const scope = SCOPES[written];
  if (!scope) throw new UsageError(`--scope takes full or decisions, not "${written}"`);
  return scope;
}

export const keyCommands: AdminCommand[] = [
  {
    name: 'keys create',
    summary: 'Makes a key and prints it, this once',
    options: {
      ...OWNER,
      scope: { meaning: 'full (everything) or decisions (no collections)', value: 'scope', required: true },
      name: { meaning: 'What it is for', value: 'name' },
    },
    run: async ({ given, value, print, deployment }) => {
      const scope = scopeOf(given('scope'));
      const { keys, workspaces } = await deployment();
      const workspaceId = given('workspace');
      if (!(await workspaces.find(workspaceId))) throw new UsageError(`There is no workspace ${workspaceId}`);
      const { key, secret } = await issueKey(keys, { workspaceId, scope, name: value('name') ?? scope });
      print(`${secret}\n\nid ${key.id}. Only its hash is kept, so it cannot be shown again.`);
    },
  },
  {
    name: 'keys list',
    summary: "Shows a workspace's keys, the revoked ones too",
    options: OWNER,
    run: async ({ given, print, deployment }) => {
      const listed = await (await deployment()).keys.list(given('workspace'));
      const rows = listed.map((key) => [
        key.id,
        key.hint,
        key.scope,
        key.name,
        key.createdAt.toISOString(),
        key.revokedAt?.toISOString() ?? '',
      ]);
      print(table(['id', 'key', 'scope', 'name', 'created', 'revoked'], rows));
    },
  },
  {
    name: 'keys revoke',
    summary: 'Stops a key at once, its open streams included',
    options: { ...OWNER, key: { meaning: 'Id of the key', value: 'id', required: true } },
    run: async ({ given, print, deployment }) => {
      const revoked = await (await deployment()).keys.revoke(given('workspace'), given('key'));
      if (!revoked) throw new UsageError(`Workspace ${given('workspace')} has no key ${given('key')}`);
      print(`revoked ${revoked.id} at ${revoked.revokedAt?.toISOString()}`);
    },
  },
];
