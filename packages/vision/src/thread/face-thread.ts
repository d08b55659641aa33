import { Worker } from 'node:worker_threads';
import { FaceBundleUnusable } from '../networks/bundle.ts';
import { PictureUnreadable } from '../picture/picture-error.ts';
import type { Opening, Order, PictureFaces, Report, Templates } from './messages.ts';

/** Runs one step of computing when its turn has come. A scheduler may stand here. */
export type Turn = (work: () => Promise<void>) => Promise<void>;

export interface FaceThreadOptions {
  /** Processor threads one run of a network computes on. */
  readonly threads: number;
  readonly turn?: Turn;
}

export interface ReadOptions {
  readonly templates: Templates;
  readonly signal?: AbortSignal | undefined;
}

/** Pictures, and bytes of them, that may wait; one more is refused at once. A picture alone always may. */
export const MOST_WAITING = 32;
export const MOST_WAITING_BYTES = 128 * 1024 * 1024;

/** The thread has enough to do, or has ended: the call was not begun or is lost, and may be sent again. */
export class FacesBusy extends Error {
  override readonly name = 'FacesBusy';
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: (faces: PictureFaces) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads faces on a thread of its own: the networks compute on the thread that calls them, and so do the crops. */
export class FaceThread {
  readonly #opening: Opening;
  readonly #turn: Turn;
  readonly #waiting = new Map<number, Waiting>();
  readonly #computing = new Map<number, () => void>();
  #worker: Promise<Worker> | undefined;
  #id = '';
  #calls = 0;
  #closed = false;

  private constructor(folder: string, { threads, turn = (work) => work() }: FaceThreadOptions) {
    this.#opening = { folder, threads };
    this.#turn = turn;
  }

  /** Throws `FaceBundleUnusable` when the folder does not hold what its manifest promises. */
  static async open(folder: string, options: FaceThreadOptions): Promise<FaceThread> {
    const thread = new FaceThread(folder, options);
    await thread.#running();
    return thread;
  }

  /** Id of the bundle: templates of different bundles cannot be compared. */
  get id(): string {
    return this.#id;
  }

  /** Throws `PictureUnreadable`, `FacesBusy`, or the signal's reason. */
  async read(bytes: Uint8Array, { templates, signal }: ReadOptions): Promise<PictureFaces> {
    signal?.throwIfAborted();
    this.#refuseTooMany(bytes.length);
    const call = ++this.#calls;
    const result = new Promise<PictureFaces>((resolve, reject) =>
      this.#waiting.set(call, { bytes: bytes.length, resolve, reject }),
    );
    const leave = (): void => {
      this.#take(call)?.reject(signal?.reason);
      void this.#say({ say: 'leave', call });
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#say({ say: 'read', call, bytes, templates }).catch((error: unknown) => this.#take(call)?.reject(error));
    return result.finally(() => signal?.removeEventListener('abort', leave));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }

  #refuseTooMany(bytes: number): void {
    const waiting = [...this.#waiting.values()];
    const total = waiting.reduce((sum, one) => sum + one.bytes, bytes);
    if (waiting.length >= MOST_WAITING || (waiting.length > 0 && total > MOST_WAITING_BYTES))
      throw new FacesBusy('too many pictures are waiting');
  }

  async #say(order: Order): Promise<void> {
    (await this.#running()).postMessage(order);
  }

  /** The thread, started again when it has ended. */
  #running(): Promise<Worker> {
    if (this.#closed) return Promise.reject(new FacesBusy('closed'));
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Promise<Worker> {
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'faces',
      workerData: this.#opening,
      execArgv: [],
    });
    worker.unref();
    return new Promise((ready, fail) => {
      const ended = (error: Error): void => {
        fail(error);
        this.#lost();
      };
      worker.on('message', (report: Report) => {
        if (report.say === 'open') {
          this.#id = report.id;
          ready(worker);
        } else if (report.say === 'unusable') {
          ended(new FaceBundleUnusable(report.message));
          void worker.terminate();
        } else this.#hear(worker, report);
      });
      worker.on('error', (error) => ended(new FacesBusy(`the thread ended: ${error.message}`)));
      worker.on('exit', () => ended(new FacesBusy('the thread ended')));
    });
  }

  #hear(worker: Worker, report: Exclude<Report, { say: 'open' | 'unusable' }>): void {
    if (report.say === 'turn') this.#grant(worker, report.turn);
    else if (report.say === 'over') {
      this.#computing.get(report.turn)?.();
      this.#computing.delete(report.turn);
    } else if (report.say === 'faces') this.#take(report.call)?.resolve(report.faces);
    else if (report.say === 'unreadable')
      this.#take(report.call)?.reject(new PictureUnreadable(report.reason, report.message));
    else this.#take(report.call)?.reject(new Error(report.message));
  }

  #grant(worker: Worker, turn: number): void {
    const work = (): Promise<void> =>
      new Promise((over) => {
        this.#computing.set(turn, over);
        worker.postMessage({ say: 'go', turn } satisfies Order);
      });
    this.#turn(work).catch(() => worker.terminate());
  }

  #take(call: number): Waiting | undefined {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    return waiting;
  }

  #lost(): void {
    this.#worker = undefined;
    for (const over of this.#computing.values()) over();
    this.#computing.clear();
    for (const { reject } of this.#waiting.values()) reject(new FacesBusy('the thread ended'));
    this.#waiting.clear();
  }
}
