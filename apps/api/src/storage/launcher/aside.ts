import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../error-code.js';

/**
 * Builds a folder under another name and renames it when it is complete, so that the name is either absent or whole
 * whatever is killed, and of several builders at once the first one's folder stands.
 */
export async function buildAside(target: string, build: (folder: string) => Promise<void>): Promise<void> {
  const aside = `${target}.making-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await build(aside);
    await rename(aside, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(aside, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
    if (!isTaken(error)) throw error;
  }
}

function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error));
}

/** What killed builders left in a folder goes, unless a program of theirs still writes into it: then it goes at the next start. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, builder] = /\.making-(\d+)-[0-9a-f]+$/.exec(name) ?? [];
    if (builder === undefined || isAlive(Number(builder))) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
