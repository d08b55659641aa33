import type { OverloadReason } from '../engine/errors.js';
import type { Command } from '../runtime/commands.js';
import type { Priority } from './ticket.js';

/** What the engine tells whoever counts: one event at each decision. */
export type SchedulerEvent =
  | { readonly kind: 'admitted'; readonly priority: Priority; readonly tokens: number; readonly queuedTokens: number }
  | { readonly kind: 'refused'; readonly priority: Priority; readonly tokens: number; readonly reason: OverloadReason }
  | {
      readonly kind: 'step';
      readonly priority: Priority;
      readonly work: Command['do'];
      readonly tokens: number;
      readonly ms: number;
      readonly waited: number;
    }
  | { readonly kind: 'finished'; readonly priority: Priority; readonly aborted: boolean };

export type EngineEvent = SchedulerEvent | { readonly kind: 'evicted'; readonly bytes: number };
