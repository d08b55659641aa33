import { randomBytes } from 'node:crypto';

/** `ws_`, `key_`, … and 32 hex digits: opaque, and telling in a log line. */
export function newIdentifier(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`;
}
