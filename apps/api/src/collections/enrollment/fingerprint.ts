import { createHash } from 'node:crypto';
import { operationTable, stringify } from '@assay/contract';
import type { Call } from '../../http/call.js';

/** What two calls with one Idempotency-Key must have in common: the route with its ids, and the body. */
export function fingerprintOf({ operation, params, body }: Call<'enrollItem'>): Buffer {
  const { method, path } = operationTable[operation];
  const route = `${method} ${path.replace('{id}', params.id)}\n`;
  return createHash('sha256').update(route).update(stringify(body)).digest();
}
