import * as z from 'zod';

type Payload = z.core.ParsePayload<unknown>;
type Check<T> = z.core.$ZodCheck<T>;

/** A check that also runs when a field is invalid, so that all that is wrong is listed at once. */
function rule<T>(check: (payload: Payload) => void): Check<T> {
  const always: Check<never> = new z.core.$ZodCheck({ check: 'custom', when: () => true });
  always._zod.check = check;
  return always as unknown as Check<T>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The `params` of an issue that a rule across fields raises; `toDetail` reads them. */
export type RuleParams =
  | { rule: 'exactly_one_of'; keys: readonly string[] }
  | { rule: 'any_of_required'; keys: readonly string[] }
  | { rule: 'ordered' }
  | { rule: 'unique_items' }
  | { rule: 'metadata' };

const breach = (payload: Payload, message: string, params: RuleParams): void => {
  payload.issues.push({ code: 'custom', input: payload.value, message, params, continue: true });
};

const size = (value: unknown) => (isObject(value) ? Object.keys(value).length : 0);

export const minProperties = <T>(minimum: number): Check<T> =>
  rule((payload) => {
    if (!isObject(payload.value) || size(payload.value) >= minimum) return;
    payload.issues.push({ code: 'too_small', origin: 'object', minimum, inclusive: true, input: payload.value });
  });

export const maxProperties = <T>(maximum: number): Check<T> =>
  rule((payload) => {
    if (!isObject(payload.value) || size(payload.value) <= maximum) return;
    payload.issues.push({ code: 'too_big', origin: 'object', maximum, inclusive: true, input: payload.value });
  });

const present = (value: Record<string, unknown>, keys: readonly string[]) =>
  keys.filter((key) => value[key] !== undefined);

export const exactlyOneOf = <T>(keys: readonly string[]): Check<T> =>
  rule((payload) => {
    if (!isObject(payload.value)) return;
    const { length } = present(payload.value, keys);
    if (length === 1) return;
    breach(payload, `Exactly one of ${keys.join(', ')} is required, got ${length}`, { rule: 'exactly_one_of', keys });
  });

export const anyOfRequired = <T>(keys: readonly string[]): Check<T> =>
  rule((payload) => {
    if (!isObject(payload.value) || present(payload.value, keys).length > 0) return;
    breach(payload, `Field required unless ${keys.slice(1).join(' or ')} is sent`, { rule: 'any_of_required', keys });
  });

/** The first of two numbers must not lie above the second. */
export const ordered = <T>(keys: readonly string[]): Check<T> =>
  rule((payload) => {
    if (!isObject(payload.value)) return;
    const [low = '', high = ''] = keys;
    const [least, most] = [payload.value[low], payload.value[high]];
    if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return;
    breach(payload, `${low} must be at or below ${high}`, { rule: 'ordered' });
  });

export const uniqueItems = <T>(): Check<T> =>
  rule((payload) => {
    const values = Array.isArray(payload.value) ? payload.value.map((value) => JSON.stringify(value)) : [];
    if (new Set(values).size !== values.length) breach(payload, 'Items must be unique', { rule: 'unique_items' });
  });
