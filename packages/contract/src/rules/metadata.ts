import * as z from 'zod';
import { ownKeys } from '../json/order.js';
import { stringify } from '../json/stringify.js';

const MAX_KEYS = 20;
const MAX_TEXT = 500;
const MAX_BYTES = 4096;
const NAME = /^[a-z0-9_]{1,40}$/;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The rule that a value of the metadata breaks, in words. */
function brokenBy(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'string') {
    if ([...value].length > MAX_TEXT) return `Text may have at most ${MAX_TEXT} characters`;
    return HIDDEN.test(value) ? 'Text may not hold control or invisible characters' : undefined;
  }
  if (typeof value === 'number') {
    const magnitude = Math.abs(value);
    return magnitude === 0 || (magnitude >= 1e-6 && magnitude < 1e15)
      ? undefined
      : 'A number must be 0, or have a magnitude of at least 10^-6 and under 10^15';
  }
  return 'A value must be text, a number or a boolean';
}

/** The metadata of an item. Every breach is a `value_error` that names the rule, also where a plain schema would say more. */
export const flatMetadata = () =>
  z
    .custom<Record<string, string | number | boolean>>((value) => typeof value === 'object' && value !== null, {
      error: 'Metadata must be a flat object',
    })
    .check((payload) => {
      const { value } = payload;
      const breach = (message: string, path: string[] = []) =>
        payload.issues.push({
          code: 'custom',
          input: value,
          message,
          path,
          params: { rule: 'metadata' },
          continue: true,
        });
      if (Array.isArray(value)) return void breach('Metadata must be a flat object');
      const names = ownKeys(value);
      if (names.length > MAX_KEYS) breach(`Metadata may have at most ${MAX_KEYS} keys`);
      for (const name of names) {
        if (!NAME.test(name)) breach('A key must be 1 to 40 characters of a-z, 0-9 and _', [name]);
        const broken = brokenBy(value[name]);
        if (broken) breach(broken, [name]);
      }
      if (Buffer.byteLength(stringify(value)) > MAX_BYTES)
        breach(`Metadata may have at most ${MAX_BYTES} bytes as JSON`);
    });
