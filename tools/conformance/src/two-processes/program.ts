import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A built program of the service, by its path there. */
const built = (path: string): string => fileURLToPath(new URL(`../../../../apps/api/dist/${path}`, import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** What a program prints when it has done its work. */
export async function outputOf(path: string, args: readonly string[], env: Environment): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [built(path), ...args], {
    env: { ...process.env, ...env },
  });
  return stdout;
}

/** A program that runs on, told from what it prints to be ready. */
export class Program {
  private constructor(
    private readonly child: ChildProcess,
    readonly ready: RegExpExecArray,
  ) {}

  static async start(path: string, args: readonly string[], env: Environment, sign: RegExp): Promise<Program> {
    const child = spawn(process.execPath, [built(path), ...args], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    const ready = new Promise<RegExpExecArray>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${path} ended with ${String(code)}: ${printed}`)));
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
        const found = sign.exec(printed);
        if (found) resolve(found);
      });
    });
    return new Program(child, await ready);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.stdin?.end();
    this.child.kill('SIGTERM');
    await ended;
  }
}
