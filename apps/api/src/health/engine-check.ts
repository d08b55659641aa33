import { type Engine, OverloadedError } from '@assay/inference';
import type { Dependency } from './readiness.js';

/** An engine that finished work this recently need not be asked. */
const RECENT_MS = 5_000;

const QUESTION = { state: 'ready', questions: { ready: { type: 'truth' as const } } };

/** Asks a model a real question, unless it has just shown that it works. A full queue is work, not a fault. */
export function engineCheck(engines: readonly Engine[], activity: { lastStepAt: number }): Dependency {
  return {
    name: 'engine',
    ask: async () => {
      const [engine] = engines;
      if (!engine || performance.now() - activity.lastStepAt < RECENT_MS) return;
      try {
        await engine.answer(engine.prepare(QUESTION), { priority: 'live' });
      } catch (error) {
        if (!(error instanceof OverloadedError)) throw error;
      }
    },
  };
}
