import pg from 'pg';
import { errorCode } from '../error-code.js';
import { DATABASE_USER } from './cluster.js';

export const DATABASE_NAME = 'postgres';
export const PRESENCE_NAME = 'assay-presence';

/** `starting` also stands for stopping: somebody holds the data folder, and the answer is to wait. */
export type Probe =
  | { readonly state: 'ready'; readonly presence: pg.Client }
  | { readonly state: 'starting' | 'absent' };

const CANNOT_CONNECT_NOW = '57P03';
const ABSENT = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Connects over the socket. The connection that comes back is the caller's presence: as long as it is open, the server knows that
 * somebody uses it, and a killed user leaves without a word to anybody.
 */
export async function probe(sockets: string): Promise<Probe> {
  const presence = new pg.Client({
    host: sockets,
    user: DATABASE_USER,
    database: DATABASE_NAME,
    application_name: PRESENCE_NAME,
    connectionTimeoutMillis: 5_000,
  });
  presence.on('error', () => undefined);
  try {
    await presence.connect();
    return { state: 'ready', presence };
  } catch (error) {
    await presence.end().catch(() => undefined);
    const code = errorCode(error);
    if (ABSENT.has(code)) return { state: 'absent' };
    if (code === CANNOT_CONNECT_NOW || code === '' || code === 'ECONNRESET' || code === 'EPIPE')
      return { state: 'starting' };
    throw error;
  }
}

export async function othersPresent(presence: pg.Client): Promise<boolean> {
  const { rows } = await presence.query<{ others: number }>(
    'SELECT count(*)::int AS others FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
    [PRESENCE_NAME],
  );
  return (rows[0]?.others ?? 0) > 0;
}
