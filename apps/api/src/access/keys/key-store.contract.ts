import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Workspace, WorkspaceStore } from '../workspaces/workspace.js';
import type { KeyStore } from './api-key.js';
import { issueKey } from './issue-key.js';
import { hashOf } from './key-format.js';

/** What every key store does, the fake included. */
export function keyStoreContract(open: () => { keys: KeyStore; workspaces: WorkspaceStore }): void {
  let keys: KeyStore;
  let workspaces: WorkspaceStore;
  let workspace: Workspace;
  beforeEach(async () => {
    ({ keys, workspaces } = open());
    workspace = await workspaces.create({ name: 'acme', billing: 'unlimited' });
  });

  const issue = (name = 'ci', workspaceId = workspace.id) => issueKey(keys, { workspaceId, name, scope: 'decisions' });

  describe('a key store', () => {
    it('finds a key with its workspace by the hash of its secret', async () => {
      const { key, secret } = await issue();
      const found = await keys.findByHash(hashOf(secret));
      expect(found).toEqual({ key, workspace, hash: hashOf(secret) });
      expect(key).toMatchObject({
        id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
        name: 'ci',
        scope: 'decisions',
        revokedAt: null,
      });
    });

    it('never gives out the secret or its hash with a key', async () => {
      const { key, secret } = await issue();
      const [listed] = await keys.list(workspace.id);
      for (const shown of [key, listed, await keys.find(workspace.id, key.id)]) {
        expect(Object.keys(shown ?? {}).sort()).toEqual([
          'createdAt',
          'hint',
          'id',
          'name',
          'revokedAt',
          'scope',
          'workspaceId',
        ]);
        expect(JSON.stringify(shown)).not.toContain(secret.slice(9, -4));
      }
    });

    it('sees the workspace as it is now', async () => {
      const { secret } = await issue();
      await workspaces.update(workspace.id, { suspended: true });
      expect((await keys.findByHash(hashOf(secret)))?.workspace.suspended).toBe(true);
    });

    it('does not find an unknown or a revoked key', async () => {
      const { key, secret } = await issue();
      expect(await keys.findByHash(hashOf('another'))).toBeUndefined();
      const revoked = await keys.revoke(workspace.id, key.id);
      expect(revoked?.revokedAt).toBeInstanceOf(Date);
      expect(await keys.findByHash(hashOf(secret))).toBeUndefined();
      expect((await keys.list(workspace.id)).map(({ id }) => id)).toEqual([key.id]);
    });

    it('keeps the moment of the first revocation', async () => {
      const { key } = await issue();
      const first = await keys.revoke(workspace.id, key.id);
      expect(await keys.revoke(workspace.id, key.id)).toEqual(first);
    });

    it('keeps the keys of another workspace out of reach', async () => {
      const other = await workspaces.create({ name: 'other', billing: 'unlimited' });
      const { key, secret } = await issue('theirs', other.id);
      expect(await keys.find(workspace.id, key.id)).toBeUndefined();
      expect(await keys.revoke(workspace.id, key.id)).toBeUndefined();
      expect(await keys.list(workspace.id)).toEqual([]);
      expect(await keys.findByHash(hashOf(secret))).toBeDefined();
    });

    it('refuses a hash twice and a workspace that does not exist', async () => {
      const { key } = await issue();
      const copy = { workspaceId: workspace.id, name: 'copy', scope: 'full' as const, hint: key.hint };
      await keys.create({ ...copy, hash: hashOf('same') });
      await expect(keys.create({ ...copy, hash: hashOf('same') })).rejects.toThrow();
      await expect(keys.create({ ...copy, workspaceId: 'ws_unknown', hash: hashOf('new') })).rejects.toThrow();
    });
  });
}
