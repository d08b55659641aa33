/** A stored answer, sent again byte for byte. */
export type StoredResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type IdempotentRequest = {
  readonly workspaceId: string;
  readonly key: string;
  /** Hash over route and body. */
  readonly fingerprint: Buffer;
};

export type Begun =
  | { readonly outcome: 'started'; readonly claim: string }
  | { readonly outcome: 'replay'; readonly response: StoredResponse }
  | { readonly outcome: 'in_progress' }
  | { readonly outcome: 'reused' };

export interface IdempotencyStore {
  begin(request: IdempotentRequest): Promise<Begun>;
  /** False when the claim was lost: another process took over, and this answer must not stand. */
  complete(request: IdempotentRequest, claim: string, response: StoredResponse): Promise<boolean>;
  /** The answer is not one to keep (a 5xx, a refusal that costs nothing): the key is free again. */
  abandon(request: IdempotentRequest, claim: string): Promise<void>;
  /** Removes what is older than the replay window. */
  forgetExpired(): Promise<void>;
}

export const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1_000;

/** A first request that is silent for this long has died with its process; the next one with the key starts anew. */
export const CLAIM_LEASE_MS = 60_000;
