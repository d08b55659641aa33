import { beforeEach, describe, expect, it } from '@jest/globals';
import { Authenticator } from './authenticator.js';
import type { KeyStore } from './keys/api-key.js';
import { issueKey } from './keys/issue-key.js';
import { newKey } from './keys/key-format.js';
import { FakeKeyStore } from './keys/key-store.fake.js';
import { FakeWorkspaceStore } from './workspaces/workspace-store.fake.js';

let workspaces: FakeWorkspaceStore;
let keys: KeyStore;
let lookups: number;
let authenticator: Authenticator;
beforeEach(() => {
  workspaces = new FakeWorkspaceStore();
  keys = new FakeKeyStore(workspaces);
  lookups = 0;
  const find = keys.findByHash.bind(keys);
  keys.findByHash = (hash) => {
    lookups += 1;
    return find(hash);
  };
  authenticator = new Authenticator(keys);
});

const issue = async () => {
  const workspace = await workspaces.create({ name: 'acme', billing: 'unlimited' });
  return { workspace, ...(await issueKey(keys, { workspaceId: workspace.id, name: 'ci', scope: 'decisions' })) };
};

describe('a bearer token', () => {
  it('stands for its key and workspace', async () => {
    const { workspace, key, secret } = await issue();
    expect(await authenticator.authenticate(secret)).toEqual({ key, workspace });
  });

  it('is refused without asking the store when it has a typo', async () => {
    const { secret } = await issue();
    const typo = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    expect(await authenticator.authenticate(typo)).toBeUndefined();
    expect(lookups).toBe(0);
  });

  it('is refused when nobody ever got it', async () => {
    await issue();
    expect(await authenticator.authenticate(newKey())).toBeUndefined();
    expect(lookups).toBe(1);
  });

  it('is refused from the moment of its revocation', async () => {
    const { workspace, key, secret } = await issue();
    await keys.revoke(workspace.id, key.id);
    expect(await authenticator.authenticate(secret)).toBeUndefined();
  });

  it('shows a suspension from the next call on', async () => {
    const { workspace, secret } = await issue();
    await workspaces.update(workspace.id, { suspended: true });
    expect((await authenticator.authenticate(secret))?.workspace.suspended).toBe(true);
  });
});
