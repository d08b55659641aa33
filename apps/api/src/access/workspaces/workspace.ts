export type Billing = 'prepaid' | 'unlimited';

export type Workspace = {
  readonly id: string;
  readonly name: string;
  readonly suspended: boolean;
  readonly zeroRetention: boolean;
  readonly storageLocation: string;
  readonly itemsLimit: number;
  readonly billing: Billing;
  /** Whole nano-dollars; never below zero, and untouched by charges while billing is unlimited. */
  readonly balanceNano: bigint;
  readonly createdAt: Date;
};

export type NewWorkspace = { readonly name: string; readonly billing: Billing } & WorkspaceSettings;

export type WorkspaceSettings = {
  readonly zeroRetention?: boolean;
  readonly storageLocation?: string;
  readonly itemsLimit?: number;
};

export type WorkspaceChanges = WorkspaceSettings & {
  readonly name?: string;
  readonly suspended?: boolean;
  readonly billing?: Billing;
};

export type Page = { readonly offset: number; readonly limit: number };

/** Balances are changed by the credit store alone, together with the ledger. */
export interface WorkspaceStore {
  create(workspace: NewWorkspace): Promise<Workspace>;
  find(id: string): Promise<Workspace | undefined>;
  /** Oldest first. */
  list(page: Page): Promise<Workspace[]>;
  update(id: string, changes: WorkspaceChanges): Promise<Workspace | undefined>;
}

/** Collections are offered in this location only. */
export const DEFAULT_STORAGE_LOCATION = 'default';
export const DEFAULT_ITEMS_LIMIT = 1_000_000;
