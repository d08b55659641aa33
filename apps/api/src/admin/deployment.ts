import type { KeyStore } from '../access/keys/api-key.js';
import type { WorkspaceStore } from '../access/workspaces/workspace.js';
import type { BatchRecord } from '../batches/batch.js';
import type { CollectionStore } from '../faces/collection-store.js';
import type { CreditStore } from '../metering/credit/ledger-entry.js';
import type { Command } from './command.js';

/** What an operator works on: the same stores the service uses. */
export interface Deployment {
  workspaces: WorkspaceStore;
  keys: KeyStore;
  credit: CreditStore;
  collections: Pick<CollectionStore, 'publish' | 'isTaken'>;
  batches: { active(): Promise<BatchRecord[]> };
}

export type AdminCommand = Command<Deployment>;
