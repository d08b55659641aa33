import { Broken, type Check, NotApplicable } from './check.js';
import { type Keys, Probe } from './probe.js';
import type { Exchange } from './wire/exchange.js';
import { Service } from './wire/service.js';

export type Verdict = 'kept' | 'broken' | 'not applicable';

export interface Result {
  readonly surface: string;
  readonly section: string;
  readonly statement: string;
  readonly verdict: Verdict;
  /** Why it is broken, or not applicable. */
  readonly reason: string | null;
  readonly exchanges: readonly Exchange[];
}

export interface Surface {
  readonly name: string;
  readonly checks: readonly Check[];
}

export interface RunOptions {
  readonly baseUrl: string;
  readonly keys: Keys;
  readonly model?: string | undefined;
  readonly patient?: boolean;
  readonly progress?: (result: Result) => void;
}

/** Runs the checks one after another, so that what a check sees is of its own making. */
export async function run(surfaces: readonly Surface[], options: RunOptions): Promise<Result[]> {
  let exchanges: Exchange[] = [];
  const service = new Service(options.baseUrl, options.keys.full, (exchange) => exchanges.push(exchange));
  const probe = new Probe(service, options.keys, options.model, options.patient ?? false);
  const results: Result[] = [];
  for (const { name, checks } of surfaces) {
    for (const { section, text, run: runCheck } of checks) {
      exchanges = [];
      const outcome = await runCheck(probe).then(() => KEPT, judged);
      const result = { surface: name, section, statement: text, ...outcome, exchanges };
      results.push(result);
      options.progress?.(result);
    }
  }
  return results;
}

type Outcome = Pick<Result, 'verdict' | 'reason'>;

const KEPT: Outcome = { verdict: 'kept', reason: null };

function judged(error: unknown): Outcome {
  if (error instanceof NotApplicable) return { verdict: 'not applicable', reason: error.message };
  if (error instanceof Broken) return { verdict: 'broken', reason: error.message };
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return {
    verdict: 'broken',
    reason: `the call failed: ${error instanceof Error ? error.message : String(error)}${cause}`,
  };
}
