import { quantile } from './bench.js';

export interface Answered {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Asks every item once, `callers` of them at a time; latencies in milliseconds. */
export async function askAll<Item>(
  items: readonly Item[],
  callers: number,
  ask: (item: Item) => Promise<unknown>,
): Promise<Answered> {
  const waiting = [...items];
  const latencies: number[] = [];
  const started = performance.now();
  const caller = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const sent = performance.now();
      await ask(item);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const perSecond = (1_000 * items.length) / (performance.now() - started);
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}
