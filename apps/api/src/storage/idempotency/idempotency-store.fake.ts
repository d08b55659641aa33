import { newIdentifier } from '../database/identifier.js';
import {
  type Begun,
  CLAIM_LEASE_MS,
  type IdempotencyStore,
  type IdempotentRequest,
  REPLAY_WINDOW_MS,
  type StoredResponse,
} from './idempotency.js';

type Held = { fingerprint: Buffer; claim: string; leaseUntil: number; createdAt: number; response?: StoredResponse };

export class FakeIdempotencyStore implements IdempotencyStore {
  private readonly held = new Map<string, Held>();

  constructor(private readonly now: () => Date = () => new Date()) {}

  async begin(request: IdempotentRequest): Promise<Begun> {
    const now = this.now().getTime();
    const held = this.held.get(place(request));
    const expired = held && held.createdAt <= now - REPLAY_WINDOW_MS;
    const same = held?.fingerprint.equals(request.fingerprint);
    const leftBehind = held && !held.response && held.leaseUntil <= now && same;
    if (!held || expired || leftBehind) {
      const claim = newIdentifier('claim');
      const { fingerprint } = request;
      this.held.set(place(request), { fingerprint, claim, leaseUntil: now + CLAIM_LEASE_MS, createdAt: now });
      return { outcome: 'started', claim };
    }
    if (!same) return { outcome: 'reused' };
    return held.response ? { outcome: 'replay', response: held.response } : { outcome: 'in_progress' };
  }

  async complete(request: IdempotentRequest, claim: string, response: StoredResponse): Promise<boolean> {
    const held = this.held.get(place(request));
    if (held?.claim !== claim || held.response) return false;
    held.response = response;
    return true;
  }

  async abandon(request: IdempotentRequest, claim: string): Promise<void> {
    const held = this.held.get(place(request));
    if (held?.claim === claim && !held.response) this.held.delete(place(request));
  }

  async forgetExpired(): Promise<void> {
    const oldest = this.now().getTime() - REPLAY_WINDOW_MS;
    for (const [name, held] of this.held) if (held.createdAt <= oldest) this.held.delete(name);
  }
}

const place = ({ workspaceId, key }: IdempotentRequest) => JSON.stringify([workspaceId, key]);
