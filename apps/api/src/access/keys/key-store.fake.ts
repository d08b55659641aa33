import { newIdentifier } from '../../storage/database/identifier.js';
import type { WorkspaceStore } from '../workspaces/workspace.js';
import type { ApiKey, Caller, KeyStore, NewApiKey } from './api-key.js';

export class FakeKeyStore implements KeyStore {
  private readonly keys = new Map<string, { key: ApiKey; hash: Buffer }>();

  constructor(private readonly workspaces: WorkspaceStore) {}

  async create({ hash, ...key }: NewApiKey): Promise<ApiKey> {
    const taken = [...this.keys.values()].some((entry) => entry.hash.equals(hash));
    if (taken) throw new Error('a key with this hash exists');
    if (!(await this.workspaces.find(key.workspaceId))) throw new Error('no such workspace');
    const made = { ...key, id: newIdentifier('key'), createdAt: new Date(), revokedAt: null };
    this.keys.set(made.id, { key: made, hash });
    return made;
  }

  async findByHash(hash: Buffer): Promise<(Caller & { readonly hash: Buffer }) | undefined> {
    const entry = [...this.keys.values()].find((candidate) => candidate.hash.equals(hash) && !candidate.key.revokedAt);
    const workspace = entry && (await this.workspaces.find(entry.key.workspaceId));
    return entry && workspace ? { key: entry.key, workspace, hash: entry.hash } : undefined;
  }

  async find(workspaceId: string, id: string): Promise<ApiKey | undefined> {
    const key = this.keys.get(id)?.key;
    return key?.workspaceId === workspaceId ? key : undefined;
  }

  async list(workspaceId: string): Promise<ApiKey[]> {
    return [...this.keys.values()].map((entry) => entry.key).filter((key) => key.workspaceId === workspaceId);
  }

  async revoke(workspaceId: string, id: string): Promise<ApiKey | undefined> {
    const key = await this.find(workspaceId, id);
    const entry = this.keys.get(id);
    if (!key || !entry) return undefined;
    if (!key.revokedAt) this.keys.set(id, { ...entry, key: { ...key, revokedAt: new Date() } });
    return this.find(workspaceId, id);
  }
}
