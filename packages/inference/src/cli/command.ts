import { fileURLToPath } from 'node:url';

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Resolves to the exit code; an error is told by its message. */
  readonly run: (args: readonly string[], say: (line: string) => void) => Promise<number>;
}

/** `packages/models`, wherever the checkout lies. */
export const DEFAULT_ROOT = fileURLToPath(new URL('../../../models', import.meta.url));
