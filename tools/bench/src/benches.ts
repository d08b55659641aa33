import type { Bench } from './bench.js';

/** A bench is a file that exports `bench`; adding one is adding its row here. */
export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  http: async () => (await import('./http.js')).bench,
};
