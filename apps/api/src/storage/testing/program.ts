import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const LOADER = join(import.meta.dirname, 'typescript-loader.mjs');

/** A program of this tree, running as a process of its own; it tells what it does in lines of JSON. */
export class Program<Event extends { event: string }> {
  readonly events: Event[] = [];
  errors = '';
  private readonly child: ChildProcess;
  private readonly exit: Promise<number | NodeJS.Signals>;
  private wake: () => void = () => undefined;

  constructor(file: string, args: readonly string[], options: { uid?: number; gid?: number } = {}) {
    const command = ['--import', LOADER, file, ...args];
    this.child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const closed = once(this.child, 'close');
    this.exit = closed.then(([code, signal]) => code ?? signal);
    void this.exit.then(() => this.wake());
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-4_000);
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.events.push(JSON.parse(line) as Event);
      this.wake();
    });
  }

  /** The first event of the kind at or after a position; fails when the program ends without it. */
  async next(kind: string, from = 0): Promise<Event> {
    for (;;) {
      const found = this.events.slice(from).find(({ event }) => event === kind);
      if (found) return found;
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const ended = await Promise.race([woken.then(() => false), this.exit.then(() => true)]);
      if (ended && !this.events.slice(from).some(({ event }) => event === kind)) {
        throw new Error(`the program ended with ${await this.exit} before "${kind}": ${this.errors}`);
      }
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.exit;
  }

  ended(): Promise<number | NodeJS.Signals> {
    return this.exit;
  }
}
