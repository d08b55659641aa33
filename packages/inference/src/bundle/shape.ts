/** Checks of values read from JSON; each says which field is wrong and what it should have been. */
export function fail(at: string, wanted: string): never {
  throw new Error(`${at} should be ${wanted}`);
}

export function object(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, 'an object');
  return value as Readonly<Record<string, unknown>>;
}

export function array(value: unknown, at: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(at, 'a list');
}

export function string(value: unknown, at: string): string {
  return typeof value === 'string' ? value : fail(at, 'a text');
}

export function number(value: unknown, at: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fail(at, 'a number');
}

export function whole(value: unknown, at: string): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : fail(at, 'a whole number above 0');
}

export function oneOf<const Value>(value: unknown, at: string, allowed: readonly Value[]): Value {
  const found = allowed.find((one) => one === value);
  return found === undefined ? fail(at, allowed.map(String).join(' or ')) : found;
}
