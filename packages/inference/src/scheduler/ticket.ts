import type { Command } from '../runtime/commands.js';
import type { RuntimeResult } from '../runtime/runtime.js';

/** From first served to last. */
export const PRIORITIES = ['live', 'stream', 'batch'] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface Step {
  readonly command: Command;
  readonly cost: number;
  readonly asked: number;
  readonly resolve: (result: RuntimeResult & { waited: number }) => void;
  readonly reject: (reason: unknown) => void;
}

/** Admitted work: at most one step of it waits or runs at a time. */
export interface Ticket {
  readonly signal: AbortSignal | undefined;
  /** `cost` in tokens. Waits for its turn; rejects with the signal's reason when the caller has left meanwhile. */
  step(command: Command, cost: number): Promise<RuntimeResult & { waited: number }>;
  /** Has to be called once, whatever became of the work. */
  finish(): void;
}
