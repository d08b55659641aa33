import type { ApiKey, KeyScope, KeyStore } from './api-key.js';
import { hashOf, hintOf, newKey } from './key-format.js';

/** Makes a key. The secret exists in this answer only: what is stored cannot be turned back into it. */
export async function issueKey(
  keys: KeyStore,
  wanted: { workspaceId: string; name: string; scope: KeyScope },
): Promise<{ key: ApiKey; secret: string }> {
  const secret = newKey();
  const key = await keys.create({ ...wanted, hash: hashOf(secret), hint: hintOf(secret) });
  return { key, secret };
}
