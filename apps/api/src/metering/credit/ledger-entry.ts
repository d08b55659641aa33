export type ChargeKind = 'decide' | 'session_open' | 'session_frame' | 'batch_line' | 'enrollment';
export type GrantKind = 'top_up' | 'adjustment';

export type LedgerEntry = {
  readonly id: string;
  readonly workspaceId: string;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly kind: ChargeKind | GrantKind;
  readonly tokens: bigint;
  /** What the work costs or what was granted, also when billing is unlimited and the balance does not move. */
  readonly amountNano: bigint;
  readonly balanceChangeNano: bigint;
  readonly balanceAfterNano: bigint;
  readonly reference: string;
  readonly createdAt: Date;
};

export type Charge = {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly model: string;
  readonly kind: ChargeKind;
  readonly tokens: number;
  readonly amountNano: bigint;
  /** Names the thing that is paid for (`req_…`, `ses_…/7`, `batch_…/line`): it is paid once, however often it is charged. */
  readonly reference: string;
};

/** An adjustment may be negative, but never takes the balance below zero. */
export type Grant = {
  readonly workspaceId: string;
  readonly kind: GrantKind;
  readonly amountNano: bigint;
  readonly reference: string;
};

export type ChargeOutcome = 'charged' | 'already_charged' | 'insufficient_credit';
export type GrantOutcome = 'granted' | 'already_granted' | 'insufficient_credit';

export type UsageRow = {
  readonly day: string;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly calls: number;
  readonly tokens: bigint;
  readonly amountNano: bigint;
};

export type LedgerFault = { readonly workspaceId: string; readonly entryId: string | null; readonly problem: string };

export interface CreditStore {
  /** `insufficient_credit` when the balance is below the amount: nothing is taken then, and the work's answer must not be given. */
  charge(charge: Charge): Promise<ChargeOutcome>;
  grant(grant: Grant): Promise<GrantOutcome>;
  entries(workspaceId: string, page: { offset: number; limit: number }): Promise<LedgerEntry[]>;
  /** Charges between two days (UTC, both included), by day, key and model. */
  usage(workspaceId: string, from: string, to: string): Promise<UsageRow[]>;
  /** Every way in which the ledger does not add up with itself or with the balances; none when all is well. */
  verify(): Promise<LedgerFault[]>;
}
