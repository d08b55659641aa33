import { join } from 'node:path';
import { Program } from '../../storage/testing/program.js';
import { BatchCaller } from './caller.js';

type Serving = { event: string; url: string; key?: string };

const SERVICE = join(import.meta.dirname, 'service-process.ts');

/** Processes of the service on one database and one blob store, each of which may be killed and started again. */
export class Fleet {
  private readonly programs: (Program<Serving> | undefined)[];
  private readonly urls: (string | undefined)[];

  constructor(
    size: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.programs = Array.from({ length: size });
    this.urls = Array.from({ length: size });
  }

  /** Starts one that is not running; gives the first key, when this start made it. */
  async start(at: number): Promise<string | undefined> {
    const program = new Program<Serving>(SERVICE, [JSON.stringify(this.settings)]);
    this.programs[at] = program;
    const serving = await program.next('serving');
    this.urls[at] = serving.url;
    return serving.key;
  }

  async kill(at: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.urls[at] = undefined;
    await this.programs[at]?.kill(signal);
    this.programs[at] = undefined;
  }

  /** A caller of one that serves now, if any does. */
  caller(key: string, choice: number): BatchCaller | undefined {
    const serving = this.urls.filter((url) => url !== undefined);
    const url = serving[choice % Math.max(1, serving.length)];
    return url === undefined ? undefined : new BatchCaller(url, key);
  }

  async stop(): Promise<void> {
    await Promise.all(this.programs.map((_, at) => this.kill(at, 'SIGTERM')));
  }
}
