import { OverloadedError } from '../engine/errors.js';
import type { Command } from '../runtime/commands.js';
import type { RuntimeResult } from '../runtime/runtime.js';
import type { SchedulerEvent } from './events.js';
import { PRIORITIES, type Priority, type Step, type Ticket } from './ticket.js';

export interface SchedulerOptions {
  /** Tokens that may be admitted and unfinished, per class; one piece of work alone is always admitted. */
  readonly admittedTokens: Readonly<Record<Priority, number>>;
  readonly onEvent?: (event: SchedulerEvent) => void;
}

export const DEFAULT_ADMITTED_TOKENS: Readonly<Record<Priority, number>> = {
  live: 262_144,
  stream: 131_072,
  batch: 131_072,
};

/** Until the first steps have been timed. */
const ASSUMED_TOKENS_PER_MS = 4;
/** How much one step moves the measured speed. */
const SPEED_MEMORY = 0.05;

interface Admitted {
  readonly priority: Priority;
  readonly signal: AbortSignal | undefined;
  /** Tokens served so far, counted from where the least served work of its class stood at its arrival. */
  served: number;
  left: number;
  waiting: Step | undefined;
}

/** Hands the runtime one step after another. Steps are short, so whoever is more urgent waits for one at most. */
export class Scheduler {
  private readonly classes: Record<Priority, Set<Admitted>> = { live: new Set(), stream: new Set(), batch: new Set() };
  private readonly runtime: { run(command: Command): Promise<RuntimeResult> };
  private readonly options: SchedulerOptions;
  private running = false;
  private tokensPerMs = ASSUMED_TOKENS_PER_MS;

  constructor(runtime: { run(command: Command): Promise<RuntimeResult> }, options: SchedulerOptions) {
    this.runtime = runtime;
    this.options = options;
  }

  /** Takes work of `tokens` in, or refuses it at once. */
  admit(priority: Priority, tokens: number, signal?: AbortSignal): Ticket {
    signal?.throwIfAborted();
    const ahead = this.unfinished(priority);
    if (ahead > 0 && ahead + tokens > this.options.admittedTokens[priority]) {
      this.options.onEvent?.({ kind: 'refused', priority, tokens, reason: 'queue' });
      throw new OverloadedError('queue', this.retryAfter(ahead + tokens - this.options.admittedTokens[priority]));
    }
    const peers = this.classes[priority];
    const served = Math.min(...Array.from(peers, (peer) => peer.served));
    const admitted: Admitted = {
      priority,
      signal,
      served: Number.isFinite(served) ? served : 0,
      left: tokens,
      waiting: undefined,
    };
    peers.add(admitted);
    this.options.onEvent?.({ kind: 'admitted', priority, tokens, queuedTokens: ahead + tokens });
    const leave = (): void => {
      const step = admitted.waiting;
      admitted.waiting = undefined;
      step?.reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    return {
      signal,
      step: (command, cost) => this.wait(admitted, command, cost),
      finish: () => {
        signal?.removeEventListener('abort', leave);
        if (peers.delete(admitted))
          this.options.onEvent?.({ kind: 'finished', priority, aborted: signal?.aborted ?? false });
      },
    };
  }

  /** Tokens admitted and not computed yet, in one class. */
  unfinished(priority: Priority): number {
    let tokens = 0;
    for (const admitted of this.classes[priority]) tokens += Math.max(0, admitted.left);
    return tokens;
  }

  retryAfter(tokens: number): number {
    return Math.min(60_000, Math.max(1_000, Math.ceil(tokens / this.tokensPerMs)));
  }

  private wait(admitted: Admitted, command: Command, cost: number): Promise<RuntimeResult & { waited: number }> {
    if (admitted.signal?.aborted) return Promise.reject(admitted.signal.reason);
    return new Promise((resolve, reject) => {
      admitted.waiting = { command, cost, asked: performance.now(), resolve, reject };
      void this.serve();
    });
  }

  private async serve(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let next = this.next(); next !== undefined; next = this.next()) await this.runStep(next, next.waiting!);
    this.running = false;
  }

  private async runStep(admitted: Admitted, step: Step): Promise<void> {
    admitted.waiting = undefined;
    admitted.served += step.cost;
    admitted.left -= step.cost;
    const waited = performance.now() - step.asked;
    try {
      const result = await this.runtime.run(step.command);
      if (step.cost > 0) this.tokensPerMs += SPEED_MEMORY * (step.cost / Math.max(result.ms, 0.01) - this.tokensPerMs);
      const { priority } = admitted;
      this.options.onEvent?.({
        kind: 'step',
        priority,
        work: step.command.do,
        tokens: step.cost,
        ms: result.ms,
        waited,
      });
      // What has been computed is told even to whoever has left meanwhile, so that it knows what the runtime holds.
      step.resolve({ ...result, waited });
    } catch (error) {
      step.reject(error);
    }
    // The continuation of what has just finished asks for its next step before the next one is chosen.
    await new Promise(setImmediate);
  }

  /** The most urgent class; in it, who has been served least: a long read and a short one share the engine. */
  private next(): Admitted | undefined {
    for (const priority of PRIORITIES) {
      let least: Admitted | undefined;
      for (const admitted of this.classes[priority]) {
        if (admitted.waiting !== undefined && (least === undefined || admitted.served < least.served)) least = admitted;
      }
      if (least !== undefined) return least;
    }
    return undefined;
  }
}
