import { timingSafeEqual } from 'node:crypto';
import type { Caller, KeyStore } from './keys/api-key.js';
import { hashOf, isWellFormed } from './keys/key-format.js';

/**
 * Answers who a bearer token belongs to. Every call asks the database, with one indexed query, and nothing is cached: a revoked key
 * or a suspended workspace counts from the next call on, in every process.
 */
export class Authenticator {
  constructor(private readonly keys: KeyStore) {}

  async authenticate(token: string): Promise<Caller | undefined> {
    if (!isWellFormed(token)) return undefined;
    const hash = hashOf(token);
    const found = await this.keys.findByHash(hash);
    if (!found || !timingSafeEqual(found.hash, hash)) return undefined;
    return { key: found.key, workspace: found.workspace };
  }
}
