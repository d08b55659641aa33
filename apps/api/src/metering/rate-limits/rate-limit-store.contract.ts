import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RateLimitStore } from './rate-limit.js';

const SECOND_US = 1_000_000;
const limit = { limit: 60, windowMs: 60_000 };

/** What every rate-limit store does. Time stands still unless a test moves it. */
export function rateLimitStoreContract(open: (nowUs: () => number) => RateLimitStore): void {
  let store: RateLimitStore;
  let nowUs: number;
  let subject: string;
  beforeEach(() => {
    nowUs = 1_800_000_000 * SECOND_US;
    subject = randomUUID();
    store = open(() => nowUs);
  });

  const takeMany = async (count: number, of = subject) => {
    const decisions = await Promise.all(Array.from({ length: count }, () => store.take(of, limit)));
    return decisions.filter(({ allowed }) => allowed).length;
  };

  describe('a rate-limit store', () => {
    it('counts down', async () => {
      expect(await store.take(subject, limit)).toEqual({
        allowed: true,
        limit: 60,
        remaining: 59,
        resetMs: 1_000,
        retryAfterMs: 0,
      });
      expect(await store.take(subject, limit)).toMatchObject({ allowed: true, remaining: 58, resetMs: 2_000 });
    });

    it('allows exactly the limit at once', async () => {
      expect(await takeMany(100)).toBe(60);
      expect(await store.take(subject, limit)).toEqual({
        allowed: false,
        limit: 60,
        remaining: 0,
        resetMs: 60_000,
        retryAfterMs: 1_000,
      });
    });

    it('does not count what it refuses', async () => {
      await takeMany(60);
      await takeMany(500);
      nowUs += 3 * SECOND_US;
      expect(await takeMany(10)).toBe(3);
    });

    it('allows again at the moment that it named', async () => {
      await takeMany(60);
      const { retryAfterMs } = await store.take(subject, limit);
      nowUs += retryAfterMs * 1_000 - 1_000;
      expect((await store.take(subject, limit)).allowed).toBe(false);
      nowUs += 1_000;
      expect((await store.take(subject, limit)).allowed).toBe(true);
    });

    it('gives the whole limit back after the window, and never more', async () => {
      await takeMany(60);
      nowUs += 3_600 * SECOND_US;
      expect(await takeMany(100)).toBe(60);
    });

    it('counts each subject by itself', async () => {
      await takeMany(60);
      expect(await takeMany(60, randomUUID())).toBe(60);
    });

    it('follows a limit that was changed', async () => {
      await takeMany(60);
      expect((await store.take(subject, { limit: 120, windowMs: 60_000 })).allowed).toBe(false);
      nowUs += SECOND_US;
      expect((await store.take(subject, { limit: 120, windowMs: 60_000 })).allowed).toBe(true);
    });

    it('serves a limit of one', async () => {
      const once = { limit: 1, windowMs: 60_000 };
      expect(await store.take(subject, once)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await store.take(subject, once)).toMatchObject({ allowed: false, retryAfterMs: 60_000 });
    });
  });
}
