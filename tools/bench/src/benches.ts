import type { Bench } from './bench.js';

/** A bench is a file that exports `bench`; adding one is adding its row here. */
export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  engine: async () => (await import('./engine.js')).bench,
  batches: async () => (await import('./batches.js')).bench,
  decide: async () => (await import('./decide.js')).bench,
  faces: async () => (await import('./faces.js')).bench,
  sessions: async () => (await import('./sessions.js')).bench,
  http: async () => (await import('./http.js')).bench,
};
