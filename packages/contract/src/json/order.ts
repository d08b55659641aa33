/**
 * A JavaScript object lists integer-like names (`10`, `9`) first and in rising order, whatever order they were given in.
 * Where that differs from the order given, the order is remembered here, beside the object.
 */
const orders = new WeakMap<object, readonly string[]>();

const INTEGER_LIKE = /^(?:0|[1-9][0-9]{0,9})$/;

/** Sets a property as the object's own, whatever its name: assigning to `__proto__` would change the prototype. */
export function setOwn(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string, unknown>)[name] = value;
  }
}

/** Remembers the order in which the names of `target` were given, if the object itself does not keep it. */
export function rememberOrder(target: object, names: readonly string[]): void {
  if (names.some((name) => INTEGER_LIKE.test(name))) orders.set(target, names);
}

/** The own names of an object, in the order given. */
export function ownKeys(target: object): string[] {
  const names = Object.keys(target);
  const given = orders.get(target);
  if (!given) return names;
  const left = new Set(names);
  const kept = given.filter((name) => left.delete(name));
  return left.size === 0 ? kept : [...kept, ...left];
}

/** The own entries of an object, in the order given. */
export function ownEntries<T>(target: { readonly [name: string]: T }): [string, T][] {
  return ownKeys(target).map((name) => [name, target[name] as T]);
}

/** An object with these entries as its own properties, in this order, `__proto__` and `10` included. */
export function orderedObject<T>(entries: Iterable<readonly [string, T]>): { [name: string]: T } {
  const target: { [name: string]: T } = {};
  const names: string[] = [];
  for (const [name, value] of entries) {
    setOwn(target, name, value);
    names.push(name);
  }
  rememberOrder(target, names);
  return target;
}
