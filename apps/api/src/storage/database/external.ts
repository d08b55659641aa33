import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, errorMessage } from '../error-code.js';
import { isDatabaseOutage } from './outage.js';

export const OLDEST_POSTGRES = 16;
const WAIT_MS = 60_000;
const PAUSE_MS = 500;

export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/** Waits until the external server answers (it may be starting beside us) and refuses one that is too old. */
export async function checkExternal(url: string, waitMs = WAIT_MS, oldest = OLDEST_POSTGRES): Promise<void> {
  const version = await readVersion(url, Date.now() + waitMs);
  if (version >= oldest) return;
  throw new DatabaseRefused(`ASSAY_DATABASE_URL names a PostgreSQL ${version}; ${oldest} or later is needed.`);
}

async function readVersion(url: string, deadline: number): Promise<number> {
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
      return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() > deadline) throw explain(error);
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(PAUSE_MS);
  }
}

/** The address itself is left out: it may hold a password. */
function explain(error: unknown): DatabaseRefused {
  const reason = errorMessage(error) || errorCode(error);
  return new DatabaseRefused(`The database at ASSAY_DATABASE_URL cannot be used: ${reason}`, { cause: error });
}
