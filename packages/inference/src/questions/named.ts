/**
 * Values under names of the caller's choice. A JavaScript object moves names like `10` to its front; whoever needs
 * the caller's order passes a Map.
 */
export type Named<Value> = { readonly [name: string]: Value } | ReadonlyMap<string, Value>;

export function entries<Value>(named: Named<Value>): [string, Value][] {
  return named instanceof Map ? [...named] : Object.entries(named as { readonly [name: string]: Value });
}
