import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chown, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../error-code.js';
import { SERVER_ENVIRONMENT } from './cluster.js';
import type { ServerHome } from './server-home.js';

const LOG_BYTES_MAX = 8 * 1024 * 1024;
const FAST_SHUTDOWN: NodeJS.Signals = 'SIGINT';
const IMMEDIATE_SHUTDOWN: NodeJS.Signals = 'SIGQUIT';
const SHUTDOWN_TIME_MS = 15_000;

/** Statements and row values never reach the server's log: they may hold what callers sent. */
const SERVER_SETTINGS = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=200',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_parameter_max_length_on_error=0',
  'log_checkpoints=off',
];

export type ServerProcess = { readonly pid: number; readonly exited: Promise<void>; running(): boolean };

/**
 * Starts the server in a group of its own, so that a Ctrl-C in the terminal reaches the service alone and the server is stopped in
 * order after it. Its output goes to a file because it may outlive the process that started it. Of two settings the later one counts.
 */
export async function startServer(
  home: ServerHome,
  binaries: string,
  more: readonly string[] = [],
): Promise<ServerProcess> {
  for (const lock of [lockOf(home), join(home.sockets, '.s.PGSQL.5432.lock')]) await removeStaleLock(home, lock);
  const log = await openLog(home);
  try {
    const place = `unix_socket_directories=${home.sockets}`;
    const settings = [...SERVER_SETTINGS, place, ...more].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', home.cluster, '-p', '5432', ...settings], {
      cwd: '/',
      detached: true,
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', log, log],
      ...home.user,
    });
    let running = true;
    const exited = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => resolve());
    }).finally(() => {
      running = false;
    });
    exited.catch(() => undefined);
    child.unref();
    return { pid: child.pid ?? 0, exited, running: () => running };
  } finally {
    closeSync(log);
  }
}

/** A fast shutdown of the server on this data folder, whoever started it; it ends at once when it does not obey in time. */
export async function stopServer(home: ServerHome): Promise<void> {
  const pid = await lockHolder(lockOf(home));
  if (pid === undefined || !(await isServer(home, pid))) return;
  signal(pid, FAST_SHUTDOWN);
  const started = Date.now();
  for (let immediate = false; signal(pid, 0) && (await isServer(home, pid)); await sleep(20)) {
    if (immediate || Date.now() - started < SHUTDOWN_TIME_MS) continue;
    immediate = true;
    signal(pid, IMMEDIATE_SHUTDOWN);
  }
}

export async function lastWords(home: ServerHome): Promise<string> {
  const text = await readFile(home.log, 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(-20);
  return (lines.findLast((line) => /FATAL|PANIC|error while loading/.test(line)) ?? lines.at(-1) ?? '').slice(0, 500);
}

/** A lock file that a kill left names a process id, and in a container that id soon belongs to another program. */
async function removeStaleLock(home: ServerHome, lock: string): Promise<void> {
  const pid = await lockHolder(lock);
  if (pid !== undefined && signal(pid, 0) && !(await isServer(home, pid))) await rm(lock, { force: true });
}

function lockOf(home: ServerHome): string {
  return join(home.cluster, 'postmaster.pid');
}

async function lockHolder(lock: string): Promise<number | undefined> {
  const first = (await readFile(lock, 'utf8').catch(() => '')).split('\n')[0];
  return first ? Math.abs(Number(first)) : undefined;
}

/** Unknown counts as yes: without /proc the server's own check of its lock file decides. */
async function isServer(home: ServerHome, pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined ? process.platform !== 'linux' : command.split('\0').includes(home.cluster);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function openLog(home: ServerHome): Promise<number> {
  const size = (await stat(home.log).catch(() => undefined))?.size ?? 0;
  if (size > LOG_BYTES_MAX) await rename(home.log, `${home.log}.1`);
  const log = openSync(home.log, 'a', 0o600);
  if (home.user) await chown(home.log, home.user.uid, home.user.gid);
  return log;
}
