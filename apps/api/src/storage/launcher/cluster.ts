import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../error-code.js';
import { buildAside } from './aside.js';
import { POSTGRES_MAJOR } from './binaries.js';
import type { ServerHome } from './server-home.js';
import { EmbeddedPostgresUnavailable, explainFailure } from './unavailable.js';

const run = promisify(execFile);

export const DATABASE_USER = 'assay';

/** Makes the data folder of the server when there is none, and refuses one that another major version wrote. */
export async function ensureCluster(home: ServerHome, binaries: string): Promise<void> {
  if ((await clusterVersion(home.cluster)) === undefined) {
    await buildAside(home.cluster, (folder) => initialise(home, binaries, folder));
  }
  const version = await clusterVersion(home.cluster);
  if (version === String(POSTGRES_MAJOR)) return;
  throw new EmbeddedPostgresUnavailable(
    `The embedded PostgreSQL cannot run: ${home.cluster} was written by PostgreSQL ${version ?? 'of an unknown version'}, ` +
      `and this release runs ${POSTGRES_MAJOR}. Dump it with its own release and load the dump into a fresh data folder.`,
  );
}

async function clusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw explainFailure(`reading ${cluster}`, error);
  }
}

async function initialise(home: ServerHome, binaries: string, folder: string): Promise<void> {
  const options = ['-D', folder, '-U', DATABASE_USER, '--auth=trust', '--encoding=UTF8', '--locale=C'];
  try {
    await run(join(binaries, 'bin', 'initdb'), options, { cwd: '/', env: SERVER_ENVIRONMENT, ...home.user });
  } catch (error) {
    throw explainFailure('making its data folder', failureOf(error));
  }
}

/** Settings such as PGDATA or LC_ALL in the caller's environment must not reach the server. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function failureOf(error: unknown): unknown {
  if (errorCode(error) === 'ENOENT') {
    return 'its programs do not run on this system (they need glibc): set ASSAY_DATABASE_URL to a PostgreSQL 16 or later';
  }
  const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : '';
  const lines = output.trim().split('\n');
  return lines.find((line) => /error|fatal|panic/i.test(line)) ?? (lines.at(-1) || error);
}
