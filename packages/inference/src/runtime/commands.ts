import type { KeptShape } from './kept.ts';

export interface RuntimeModel {
  readonly id: string;
  readonly readGraph: string;
  readonly askGraph: string;
  readonly shape: KeptShape;
}

/** One piece of work for the thread that owns the sessions and the kept numbers. */
export type Command =
  | { readonly do: 'load'; readonly model: RuntimeModel; readonly threads: number }
  | { readonly do: 'loadPairs'; readonly model: string; readonly graph: string; readonly threads: number }
  | { readonly do: 'pair'; readonly model: string; readonly ids: readonly number[]; readonly types: readonly number[] }
  | { readonly do: 'open'; readonly context: number; readonly model: string; readonly slots: number }
  | { readonly do: 'resize'; readonly context: number; readonly slots: number }
  | { readonly do: 'read'; readonly context: number; readonly blocks: readonly Int32Array[] }
  | { readonly do: 'pool'; readonly model: string; readonly blocks: readonly Int32Array[] }
  | { readonly do: 'remove'; readonly context: number; readonly first: number; readonly count: number }
  | {
      readonly do: 'ask';
      readonly context: number;
      readonly statements: readonly Int32Array[];
      readonly length: number;
      readonly keepScratch: boolean;
    }
  | { readonly do: 'free'; readonly context: number };

export interface Request {
  readonly call: number;
  readonly command: Command;
}

export type LoadCommand = Extract<Command, { do: 'load' | 'loadPairs' }>;

/** `values` are the logits of an `ask`, two a statement, or those of a `pair`, or the mean of a `pool`; every other command answers with none. */
export type Reply =
  | { readonly call: number; readonly values: Float32Array; readonly ms: number }
  | { readonly call: number; readonly error: string };
