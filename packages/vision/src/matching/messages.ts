import type { Found, Sought } from './template-set.ts';

/** What is said to the thread that holds the templates. */
export type MatchOrder =
  | { readonly say: 'append'; readonly set: string; readonly keys: Float64Array; readonly templates: Int8Array }
  | { readonly say: 'remove'; readonly set: string; readonly keys: Float64Array }
  | { readonly say: 'drop'; readonly set: string }
  | { readonly say: 'search'; readonly call: number; readonly set: string; readonly sought: readonly Sought[] }
  | { readonly say: 'measure'; readonly call: number; readonly set: string };

/** What the thread says. */
export type MatchReport =
  | { readonly say: 'found'; readonly call: number; readonly found: readonly (readonly Found[])[] }
  | { readonly say: 'measured'; readonly call: number; readonly size: number; readonly bytes: number };
