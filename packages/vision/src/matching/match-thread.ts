import { Worker } from 'node:worker_threads';
import type { MatchOrder, MatchReport } from './messages.ts';
import type { Found, Sought } from './template-set.ts';

/** The thread has ended, and what it held is gone: fill it again and search again. */
export class MatchingLost extends Error {
  override readonly name = 'MatchingLost';
}

interface Waiting {
  resolve(report: MatchReport): void;
  reject(error: Error): void;
}

/** Named sets of templates on a thread of their own, so that a search of a million of them holds up nothing else. */
export class MatchThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #ended = false;

  constructor() {
    const file = import.meta.url.endsWith('.ts') ? './match-worker.ts' : './match-worker.js';
    this.#worker = new Worker(new URL(file, import.meta.url), { name: 'matching', execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (report: MatchReport) => {
      this.#waiting.get(report.call)?.resolve(report);
      this.#waiting.delete(report.call);
    });
    this.#worker.on('error', () => this.#lost());
    this.#worker.on('exit', () => this.#lost());
  }

  /** True once the thread and what it held are gone. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Both arrays are handed over. Keys rise, from one call to the next too. */
  append(set: string, keys: Float64Array<ArrayBuffer>, templates: Int8Array<ArrayBuffer>): void {
    this.#say({ say: 'append', set, keys, templates }, [keys.buffer, templates.buffer]);
  }

  remove(set: string, keys: Float64Array): void {
    this.#say({ say: 'remove', set, keys });
  }

  drop(set: string): void {
    this.#say({ say: 'drop', set });
  }

  /** What was appended and removed before is taken into account. */
  async search(set: string, sought: readonly Sought[]): Promise<readonly (readonly Found[])[]> {
    const report = await this.#ask((call) => ({ say: 'search', call, set, sought }));
    return report.say === 'found' ? report.found : [];
  }

  async measure(set: string): Promise<{ size: number; bytes: number }> {
    const report = await this.#ask((call) => ({ say: 'measure', call, set }));
    return report.say === 'measured' ? { size: report.size, bytes: report.bytes } : { size: 0, bytes: 0 };
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(order: (call: number) => MatchOrder): Promise<MatchReport> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      if (this.#ended) this.#lost();
      else this.#say(order(call));
    });
  }

  #say(order: MatchOrder, handedOver: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(order, [...handedOver]);
  }

  #lost(): void {
    this.#ended = true;
    for (const { reject } of this.#waiting.values()) reject(new MatchingLost('the matching thread has ended'));
    this.#waiting.clear();
  }
}
