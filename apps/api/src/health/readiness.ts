import { Inject, Injectable } from '@nestjs/common';

/** One thing the service cannot work without. */
export interface Dependency {
  name: string;
  /** Asks the dependency itself; rejects when it does not answer. */
  ask(): Promise<unknown>;
}

export const DEPENDENCIES = Symbol('dependencies');
const PATIENCE_MS = 2_000;

const soon = <T>(answer: Promise<T>): Promise<T> =>
  Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS).unref();
    }),
  ]);

@Injectable()
export class Readiness {
  private stopping = false;

  constructor(@Inject(DEPENDENCIES) private readonly dependencies: readonly Dependency[]) {}

  /** From now on nothing new should be sent here; what is in flight is still answered. */
  stop(): void {
    this.stopping = true;
  }

  async report(): Promise<{ ready: boolean; checks: Record<string, 'ok' | 'failed'> }> {
    const results = await Promise.allSettled(this.dependencies.map((dependency) => soon(dependency.ask())));
    const checks = Object.fromEntries(
      this.dependencies.map(({ name }, at) => [name, results[at]?.status === 'fulfilled' ? 'ok' : 'failed'] as const),
    );
    const ready = !this.stopping && results.every(({ status }) => status === 'fulfilled');
    return { ready, checks };
  }
}
