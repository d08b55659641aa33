import { beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkspaceStore } from './workspace.js';

/** What every workspace store does, the fake included. */
export function workspaceStoreContract(open: () => WorkspaceStore): void {
  let store: WorkspaceStore;
  beforeEach(() => {
    store = open();
  });

  describe('a workspace store', () => {
    it('gives a new workspace the defaults of the document', async () => {
      const made = await store.create({ name: 'acme', billing: 'prepaid' });
      expect(made).toMatchObject({
        id: expect.stringMatching(/^ws_[0-9a-f]{32}$/),
        name: 'acme',
        billing: 'prepaid',
        suspended: false,
        zeroRetention: false,
        storageLocation: 'default',
        itemsLimit: 1_000_000,
        balanceNano: 0n,
      });
      expect(await store.find(made.id)).toEqual(made);
    });

    it('finds nothing under an unknown id', async () => {
      expect(await store.find('ws_unknown')).toBeUndefined();
      expect(await store.update('ws_unknown', { suspended: true })).toBeUndefined();
    });

    it('changes what is named and nothing else', async () => {
      const made = await store.create({ name: 'acme', billing: 'prepaid', itemsLimit: 5 });
      const changed = await store.update(made.id, { suspended: true, zeroRetention: true });
      expect(changed).toEqual({ ...made, suspended: true, zeroRetention: true });
      expect(await store.update(made.id, {})).toEqual(changed);
    });

    it('lists pages, oldest first', async () => {
      const before = (await store.list({ offset: 0, limit: 1_000 })).length;
      const names = ['one', 'two', 'three'];
      for (const name of names) await store.create({ name, billing: 'unlimited' });
      const all = await store.list({ offset: before, limit: 10 });
      expect(all.map(({ name }) => name)).toEqual(names);
      expect((await store.list({ offset: before + 1, limit: 1 })).map(({ name }) => name)).toEqual(['two']);
    });
  });
}
