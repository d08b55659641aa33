import type { Workspace } from '../../access/workspaces/workspace.js';

export type Hold = { release(): void };

const NOTHING_HELD: Hold = { release: () => undefined };

/**
 * Keeps work from being started that the balance cannot pay for: what running calls may cost counts as spent. Holds live in this process
 * alone, so that a crash frees them and no call waits for another; the charge itself stays the judge, across processes too.
 *
 * Release a hold just before its charge, never after: in between, its cost would be missing from the balance twice, and a call that
 * could be paid for would be refused.
 */
export class CreditHolds {
  private readonly held = new Map<string, bigint>();

  /** Nothing comes back when the balance, as the workspace shows it, is too low for this call beside those that run. */
  hold({ id, billing, balanceNano }: Workspace, amountNano: bigint): Hold | undefined {
    if (billing === 'unlimited') return NOTHING_HELD;
    const others = this.held.get(id) ?? 0n;
    if (balanceNano - others < amountNano) return undefined;
    this.held.set(id, others + amountNano);
    let open = true;
    return {
      release: () => {
        if (open) this.give(id, amountNano);
        open = false;
      },
    };
  }

  private give(id: string, amountNano: bigint): void {
    const left = (this.held.get(id) ?? 0n) - amountNano;
    if (left > 0n) this.held.set(id, left);
    else this.held.delete(id);
  }
}
