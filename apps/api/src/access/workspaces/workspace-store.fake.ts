import { newIdentifier } from '../../storage/database/identifier.js';
import {
  DEFAULT_ITEMS_LIMIT,
  DEFAULT_STORAGE_LOCATION,
  type NewWorkspace,
  type Page,
  type Workspace,
  type WorkspaceChanges,
  type WorkspaceStore,
} from './workspace.js';

export class FakeWorkspaceStore implements WorkspaceStore {
  private readonly workspaces = new Map<string, Workspace>();

  async create(workspace: NewWorkspace): Promise<Workspace> {
    const made = {
      id: newIdentifier('ws'),
      suspended: false,
      zeroRetention: false,
      storageLocation: DEFAULT_STORAGE_LOCATION,
      itemsLimit: DEFAULT_ITEMS_LIMIT,
      balanceNano: 0n,
      createdAt: new Date(),
      ...workspace,
    };
    this.workspaces.set(made.id, made);
    return made;
  }

  async find(id: string): Promise<Workspace | undefined> {
    return this.workspaces.get(id);
  }

  async list({ offset, limit }: Page): Promise<Workspace[]> {
    return [...this.workspaces.values()].slice(offset, offset + limit);
  }

  async update(id: string, changes: WorkspaceChanges): Promise<Workspace | undefined> {
    const found = this.workspaces.get(id);
    if (found) this.workspaces.set(id, { ...found, ...changes });
    return this.workspaces.get(id);
  }

  /** Without a turn of the event loop, so that what follows is one step as it is in a transaction. */
  peek(id: string): Workspace | undefined {
    return this.workspaces.get(id);
  }

  /** What the credit store's fake does in place of the database's UPDATE. */
  setBalance(id: string, balanceNano: bigint): void {
    const found = this.workspaces.get(id);
    if (found) this.workspaces.set(id, { ...found, balanceNano });
  }
}
