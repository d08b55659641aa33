import { Worker } from 'node:worker_threads';
import type { Command, LoadCommand, Reply, RuntimeModel } from './commands.js';

export interface RuntimeResult {
  readonly values: Float32Array;
  readonly ms: number;
}

export class RuntimeLostError extends Error {
  constructor(reason: string) {
    super(`the inference thread ended: ${reason}`);
    this.name = 'RuntimeLostError';
  }
}

interface Waiting {
  readonly resolve: (result: RuntimeResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The thread that owns the model sessions and all kept numbers. The binding computes on the thread that calls it, so
 * calling it here would stop everything else this process does. A thread that dies is replaced: its models are
 * loaded again, and `generation` tells that the contexts of the old one are gone.
 */
export class Runtime {
  private worker: Worker | undefined;
  private readonly loads: LoadCommand[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  private losses = 0;
  private closed = false;
  private readonly threads: number;

  constructor(threads: number) {
    this.threads = threads;
  }

  get generation(): number {
    return this.losses;
  }

  async load(model: RuntimeModel): Promise<void> {
    await this.keepLoaded({ do: 'load', model, threads: this.threads });
  }

  async loadPairs(model: string, graph: string): Promise<void> {
    await this.keepLoaded({ do: 'loadPairs', model, graph, threads: this.threads });
  }

  run(command: Command): Promise<RuntimeResult> {
    if (this.closed) return Promise.reject(new RuntimeLostError('closed'));
    const worker = this.worker ?? this.start();
    return this.post(worker, command);
  }

  async restart(): Promise<void> {
    const { worker } = this;
    if (worker === undefined) return;
    worker.ref();
    this.lose(worker, 'restarted');
    await worker.terminate();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.worker?.ref();
    await this.worker?.terminate();
  }

  private async keepLoaded(load: LoadCommand): Promise<void> {
    await this.run(load);
    this.loads.push(load);
  }

  private post(worker: Worker, command: Command): Promise<RuntimeResult> {
    const call = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve, reject });
      worker.ref();
      worker.postMessage({ call, command });
    });
  }

  private start(): Worker {
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
    const worker = new Worker(new URL(file, import.meta.url), { name: 'inference', execArgv: [] });
    this.worker = worker;
    worker.on('message', (reply: Reply) => this.settle(reply));
    worker.on('error', (error) => this.lose(worker, error.message));
    worker.on('exit', (code) => this.lose(worker, `exit code ${code}`));
    for (const load of this.loads) {
      this.post(worker, load).catch((error: Error) => this.lose(worker, error.message));
    }
    return worker;
  }

  private settle(reply: Reply): void {
    const waiting = this.waiting.get(reply.call);
    this.waiting.delete(reply.call);
    if (this.waiting.size === 0 && !this.closed) this.worker?.unref();
    if ('error' in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve({ values: reply.values, ms: reply.ms });
  }

  private lose(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.losses += 1;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new RuntimeLostError(reason));
    void worker.terminate();
  }
}
