import * as z from 'zod';
import { orderedObject, ownKeys } from '../json/order.js';

const initialise: (inst: z.ZodRecord, def: z.core.$ZodRecordDef) => void = z.ZodRecord.init;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const now = <T>(result: T | Promise<T>): T => {
  if (result instanceof Promise) throw new Error('an asynchronous schema cannot check a record');
  return result;
};

/** zod's own record drops the name `__proto__` and checks nothing under it; the order of `10` and `9` is lost as well. */
const OwnRecord = z.core.$constructor<z.ZodRecord, z.core.$ZodRecordDef>('OwnRecord', (inst, def) => {
  initialise(inst, def);
  const { keyType, valueType } = def;
  inst._zod.parse = (payload, ctx) => {
    const input = payload.value as unknown;
    if (!isObject(input)) {
      payload.issues.push({ code: 'invalid_type', expected: 'record', input, inst });
      return payload;
    }
    let changed = false;
    const entries = ownKeys(input).map((name): [string, unknown] => {
      const key = now(keyType._zod.run({ value: name, issues: [] }, ctx));
      if (key.issues.length > 0) {
        const issues = key.issues.map((issue) => z.core.util.finalizeIssue(issue, ctx, z.core.config()));
        payload.issues.push({ code: 'invalid_key', origin: 'record', issues, input: name, path: [name], inst });
        return [name, undefined];
      }
      const value = now(valueType._zod.run({ value: input[name], issues: [] }, ctx));
      payload.issues.push(...z.core.util.prefixIssues(name, value.issues));
      changed ||= value.value !== input[name];
      return [name, value.value];
    });
    payload.value = changed ? orderedObject(entries) : (input as typeof payload.value);
    return payload;
  };
});

/**
 * An object from names of the caller to values, all of its own names checked and kept as sent, in the order sent.
 * A record whose values the check leaves alone is returned itself.
 */
export function ownRecord<Key extends z.core.$ZodRecordKey, Value extends z.core.SomeType>(
  keyType: Key,
  valueType: Value,
): z.ZodRecord<Key, Value> {
  return new OwnRecord({ type: 'record', keyType, valueType } as never) as unknown as z.ZodRecord<Key, Value>;
}
