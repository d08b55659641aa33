import type { FakeWorkspaceStore } from '../../access/workspaces/workspace-store.fake.js';
import type {
  Charge,
  ChargeOutcome,
  CreditStore,
  Grant,
  GrantOutcome,
  LedgerEntry,
  LedgerFault,
  UsageRow,
} from './ledger-entry.js';

type Draft = Omit<LedgerEntry, 'id' | 'createdAt' | 'balanceAfterNano'>;

export class FakeCreditStore implements CreditStore {
  private readonly ledger: LedgerEntry[] = [];

  constructor(private readonly workspaces: FakeWorkspaceStore) {}

  async charge(charge: Charge): Promise<ChargeOutcome> {
    const free = (await this.workspaces.find(charge.workspaceId))?.billing === 'unlimited';
    const balanceChangeNano = free ? 0n : -charge.amountNano;
    const outcome = await this.record({ ...charge, tokens: BigInt(charge.tokens), balanceChangeNano });
    return outcome === 'recorded' ? 'charged' : outcome === 'known' ? 'already_charged' : 'insufficient_credit';
  }

  async grant(grant: Grant): Promise<GrantOutcome> {
    const draft = { ...grant, keyId: null, model: null, tokens: 0n, balanceChangeNano: grant.amountNano };
    const outcome = await this.record(draft);
    return outcome === 'recorded' ? 'granted' : outcome === 'known' ? 'already_granted' : 'insufficient_credit';
  }

  async entries(workspaceId: string, { offset, limit }: { offset: number; limit: number }): Promise<LedgerEntry[]> {
    return this.ledger.filter((entry) => entry.workspaceId === workspaceId).slice(offset, offset + limit);
  }

  async usage(workspaceId: string, from: string, to: string): Promise<UsageRow[]> {
    const rows = new Map<string, UsageRow>();
    for (const entry of this.ledger) {
      const day = entry.createdAt.toISOString().slice(0, 10);
      if (entry.workspaceId !== workspaceId || entry.keyId === null || day < from || day > to) continue;
      const name = [day, entry.keyId, entry.model].join();
      const row = rows.get(name) ?? {
        day,
        keyId: entry.keyId,
        model: entry.model,
        calls: 0,
        tokens: 0n,
        amountNano: 0n,
      };
      const { calls, tokens, amountNano } = row;
      rows.set(name, {
        ...row,
        calls: calls + 1,
        tokens: tokens + entry.tokens,
        amountNano: amountNano + entry.amountNano,
      });
    }
    return [...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }

  async verify(): Promise<LedgerFault[]> {
    const owners = new Set(this.ledger.map(({ workspaceId }) => workspaceId));
    const faults: LedgerFault[] = [];
    for (const workspaceId of owners) {
      const entries = this.ledger.filter((entry) => entry.workspaceId === workspaceId);
      const total = entries.reduce((sum, { balanceChangeNano }) => sum + balanceChangeNano, 0n);
      const balance = (await this.workspaces.find(workspaceId))?.balanceNano;
      if (balance !== total)
        faults.push({ workspaceId, entryId: null, problem: `the balance is ${balance}, not ${total}` });
    }
    return faults;
  }

  private async record(draft: Draft): Promise<'recorded' | 'known' | 'refused'> {
    const { workspaceId, reference } = draft;
    const workspace = this.workspaces.peek(workspaceId);
    if (this.ledger.some((entry) => entry.workspaceId === workspaceId && entry.reference === reference)) return 'known';
    const after = (workspace?.balanceNano ?? 0n) + draft.balanceChangeNano;
    if (!workspace || after < 0n) return 'refused';
    this.workspaces.setBalance(workspaceId, after);
    this.ledger.push({ ...draft, id: String(this.ledger.length + 1), balanceAfterNano: after, createdAt: new Date() });
    return 'recorded';
  }
}
