import type { Workspace } from '../workspaces/workspace.js';

export type KeyScope = 'full' | 'decisions';

/** A key as it may be shown: the secret itself exists only in the answer to its creation. */
export type ApiKey = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly hint: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};

export type NewApiKey = Pick<ApiKey, 'workspaceId' | 'name' | 'scope' | 'hint'> & { readonly hash: Buffer };

/** Who is calling. */
export type Caller = { readonly key: ApiKey; readonly workspace: Workspace };

export interface KeyStore {
  create(key: NewApiKey): Promise<ApiKey>;
  /** The key with its workspace as they are now; revoked ones are not found. */
  findByHash(hash: Buffer): Promise<(Caller & { readonly hash: Buffer }) | undefined>;
  find(workspaceId: string, id: string): Promise<ApiKey | undefined>;
  /** Oldest first, the revoked ones too. */
  list(workspaceId: string): Promise<ApiKey[]>;
  /** Revoking again changes nothing. */
  revoke(workspaceId: string, id: string): Promise<ApiKey | undefined>;
}
