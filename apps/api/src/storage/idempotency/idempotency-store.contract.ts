import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CLAIM_LEASE_MS, type IdempotencyStore, REPLAY_WINDOW_MS } from './idempotency.js';

const hash = (text: string) => createHash('sha256').update(text).digest();
const answer = { status: 201, headers: { 'x-billed': 'yes' }, body: '{"id":"itm_1","label":"\\u0000 ä"}' };

export type IdempotencyStores = { store: IdempotencyStore; workspaceId: string; otherWorkspaceId: string };

/** What every idempotency store does, the fake included. Time stands still unless a test moves it. */
export function idempotencyStoreContract(open: (now: () => Date) => Promise<IdempotencyStores>): void {
  let stores: IdempotencyStores;
  let now: number;
  let sequence = 0;
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    stores = await open(() => new Date(now));
  });

  const request = (body = 'body', workspaceId = stores.workspaceId) => {
    return { workspaceId, key: `key ${sequence}`, fingerprint: hash(body) };
  };
  const start = async (of = request()) => {
    const begun = await stores.store.begin(of);
    if (begun.outcome !== 'started') throw new Error(`not started: ${begun.outcome}`);
    return begun.claim;
  };

  describe('an idempotency store', () => {
    beforeEach(() => {
      sequence += 1;
    });

    it('gives the first answer again', async () => {
      const claim = await start();
      expect(await stores.store.complete(request(), claim, answer)).toBe(true);
      expect(await stores.store.begin(request())).toEqual({ outcome: 'replay', response: answer });
    });

    it('lets one of many at once begin', async () => {
      const begun = await Promise.all(Array.from({ length: 8 }, () => stores.store.begin(request())));
      expect(begun.map(({ outcome }) => outcome).sort()).toEqual([...Array(7).fill('in_progress'), 'started']);
    });

    it('tells that a key was used for another request, before and after its answer', async () => {
      const claim = await start();
      expect(await stores.store.begin(request('other'))).toEqual({ outcome: 'reused' });
      await stores.store.complete(request(), claim, answer);
      expect(await stores.store.begin(request('other'))).toEqual({ outcome: 'reused' });
    });

    it('keeps the keys of workspaces apart', async () => {
      await start();
      await start(request('other', stores.otherWorkspaceId));
    });

    it('frees the key of a request that was abandoned', async () => {
      await stores.store.abandon(request(), await start());
      await start(request('other'));
    });

    it('does not free a key that has its answer', async () => {
      const claim = await start();
      await stores.store.complete(request(), claim, answer);
      await stores.store.abandon(request(), claim);
      expect(await stores.store.begin(request())).toMatchObject({ outcome: 'replay' });
    });

    it('lets the same request take over from a dead process, whose answer then no longer counts', async () => {
      const dead = await start();
      now += CLAIM_LEASE_MS;
      expect(await stores.store.begin(request('other'))).toEqual({ outcome: 'reused' });
      const claim = await start();
      expect(await stores.store.complete(request(), dead, answer)).toBe(false);
      await stores.store.abandon(request(), dead);
      expect(await stores.store.complete(request(), claim, answer)).toBe(true);
    });

    it('answers again for a whole day and not longer', async () => {
      await stores.store.complete(request(), await start(), answer);
      now += REPLAY_WINDOW_MS - 1;
      await stores.store.forgetExpired();
      expect(await stores.store.begin(request())).toMatchObject({ outcome: 'replay' });
      now += 1;
      await start(request('another body'));
    });

    it('forgets what is older than a day', async () => {
      const claim = await start();
      now += REPLAY_WINDOW_MS;
      await stores.store.forgetExpired();
      expect(await stores.store.complete(request(), claim, answer)).toBe(false);
    });
  });
}
