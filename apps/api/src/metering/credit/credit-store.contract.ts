import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyStore } from '../../access/keys/api-key.js';
import { issueKey } from '../../access/keys/issue-key.js';
import type { Billing, WorkspaceStore } from '../../access/workspaces/workspace.js';
import type { Charge, CreditStore } from './ledger-entry.js';

export type CreditStores = { credit: CreditStore; workspaces: WorkspaceStore; keys: KeyStore };

/** What every credit store does, the fake included. */
export function creditStoreContract(open: () => CreditStores): void {
  let stores: CreditStores;
  let sequence = 0;
  beforeEach(() => {
    stores = open();
  });

  const newAccount = async (billing: Billing, balanceNano = 0n) => {
    const workspace = await stores.workspaces.create({ name: 'acme', billing });
    const { key } = await issueKey(stores.keys, { workspaceId: workspace.id, name: 'ci', scope: 'full' });
    if (balanceNano > 0n) {
      await stores.credit.grant({
        workspaceId: workspace.id,
        kind: 'top_up',
        amountNano: balanceNano,
        reference: 'first',
      });
    }
    return { workspaceId: workspace.id, keyId: key.id };
  };
  type Account = Awaited<ReturnType<typeof newAccount>>;

  const chargeOf = (account: Account, amountNano: bigint, change: Partial<Charge> = {}): Charge => {
    sequence += 1;
    return {
      ...account,
      model: 'assay-1.0',
      kind: 'decide',
      tokens: 10,
      amountNano,
      reference: `req_${sequence}`,
      ...change,
    };
  };

  const balanceOf = async ({ workspaceId }: Account) => (await stores.workspaces.find(workspaceId))?.balanceNano;

  describe('a credit store', () => {
    it('takes a charge from the balance and records it', async () => {
      const account = await newAccount('prepaid', 1_000n);
      expect(await stores.credit.charge(chargeOf(account, 420n, { reference: 'req_a' }))).toBe('charged');
      expect(await balanceOf(account)).toBe(580n);
      const entries = await stores.credit.entries(account.workspaceId, { offset: 0, limit: 10 });
      expect(entries).toMatchObject([
        { kind: 'top_up', keyId: null, amountNano: 1_000n, balanceChangeNano: 1_000n, balanceAfterNano: 1_000n },
        {
          ...account,
          kind: 'decide',
          tokens: 10n,
          balanceChangeNano: -420n,
          balanceAfterNano: 580n,
          reference: 'req_a',
        },
      ]);
    });

    it('takes nothing when the balance is below the amount', async () => {
      const account = await newAccount('prepaid', 100n);
      expect(await stores.credit.charge(chargeOf(account, 101n))).toBe('insufficient_credit');
      expect(await balanceOf(account)).toBe(100n);
      expect(await stores.credit.charge(chargeOf(account, 100n))).toBe('charged');
      expect(await balanceOf(account)).toBe(0n);
      expect(await stores.credit.charge(chargeOf(account, 1n))).toBe('insufficient_credit');
      expect(await stores.credit.entries(account.workspaceId, { offset: 0, limit: 10 })).toHaveLength(2);
    });

    it('charges the same thing once', async () => {
      const account = await newAccount('prepaid', 100n);
      const charge = chargeOf(account, 40n);
      expect(await stores.credit.charge(charge)).toBe('charged');
      expect(await stores.credit.charge(charge)).toBe('already_charged');
      expect(await balanceOf(account)).toBe(60n);
    });

    it('charges one thing once even when asked many times at once', async () => {
      const account = await newAccount('prepaid', 1_000n);
      const charge = chargeOf(account, 40n);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => stores.credit.charge(charge)));
      expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'already_charged')).toHaveLength(7);
      expect(await balanceOf(account)).toBe(960n);
    });

    it('records the cost of an unlimited workspace without moving its balance', async () => {
      const account = await newAccount('unlimited');
      expect(await stores.credit.charge(chargeOf(account, 420n))).toBe('charged');
      expect(await balanceOf(account)).toBe(0n);
      const [entry] = await stores.credit.entries(account.workspaceId, { offset: 0, limit: 10 });
      expect(entry).toMatchObject({ amountNano: 420n, balanceChangeNano: 0n, balanceAfterNano: 0n });
    });

    it('grants once per reference, and adjusts downwards to zero at most', async () => {
      const account = await newAccount('prepaid', 100n);
      const { workspaceId } = account;
      const topUp = { workspaceId, kind: 'top_up', amountNano: 50n, reference: 'invoice 7' } as const;
      expect(await stores.credit.grant(topUp)).toBe('granted');
      expect(await stores.credit.grant(topUp)).toBe('already_granted');
      expect(await balanceOf(account)).toBe(150n);
      const correction = { workspaceId, kind: 'adjustment', amountNano: -151n, reference: 'typo' } as const;
      expect(await stores.credit.grant(correction)).toBe('insufficient_credit');
      expect(await stores.credit.grant({ ...correction, amountNano: -150n })).toBe('granted');
      expect(await balanceOf(account)).toBe(0n);
    });

    it('adds up usage by day, key and model', async () => {
      const account = await newAccount('prepaid', 10_000n);
      await stores.credit.charge(chargeOf(account, 400n, { tokens: 7 }));
      await stores.credit.charge(chargeOf(account, 20n, { tokens: 3, kind: 'batch_line' }));
      await stores.credit.charge(chargeOf(account, 5n, { tokens: 1, model: 'assay-flash-1.0' }));
      const day = new Date().toISOString().slice(0, 10);
      const { keyId } = account;
      expect(await stores.credit.usage(account.workspaceId, day, day)).toEqual([
        { day, keyId, model: 'assay-1.0', calls: 2, tokens: 10n, amountNano: 420n },
        { day, keyId, model: 'assay-flash-1.0', calls: 1, tokens: 1n, amountNano: 5n },
      ]);
      expect(await stores.credit.usage(account.workspaceId, '2020-01-01', '2020-01-02')).toEqual([]);
    });

    it('adds up', async () => {
      const account = await newAccount('prepaid', 1_000n);
      await Promise.all(
        Array.from({ length: 30 }, (_, step) => stores.credit.charge(chargeOf(account, BigInt(step) * 7n))),
      );
      expect(await stores.credit.verify()).toEqual([]);
    });
  });
}
