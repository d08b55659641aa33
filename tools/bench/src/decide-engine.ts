import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answered } from './decide-callers.js';

export interface EngineOptions {
  readonly models: string;
  readonly model: string;
  readonly threads: number | undefined;
  readonly requests: number;
}

/** The raw engine in a process of its own, as the service has one: it shares neither its memory nor its event loop with us. */
export class RawEngine {
  private constructor(private readonly child: ChildProcess) {}

  static async open(options: EngineOptions): Promise<RawEngine> {
    const child = fork(new URL('./decide-engine-process.js', import.meta.url), [JSON.stringify(options)]);
    const engine = new RawEngine(child);
    await engine.told();
    return engine;
  }

  /** All requests once, with so many callers. */
  async run(callers: number): Promise<Answered> {
    this.child.send(callers);
    return (await this.told()) as Answered;
  }

  close(): void {
    this.child.disconnect();
  }

  private async told(): Promise<unknown> {
    const over = new AbortController();
    const { signal } = over;
    const gone = once(this.child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the engine's process ended with ${String(code)}`);
    });
    try {
      const [message] = (await Promise.race([once(this.child, 'message', { signal }), gone])) as [unknown];
      return message;
    } finally {
      gone.catch(() => undefined);
      over.abort();
    }
  }
}
