import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** initdb and the server's main process on this folder, by what they were started with. */
export async function serverProcesses(folder: string, programs = ['postgres', 'initdb']): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    const command = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    const [program = ''] = command.split('\0');
    if (command.includes(folder) && programs.includes(basename(program))) found.push(Number(name));
  }
  return found;
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
