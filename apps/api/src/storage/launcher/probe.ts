import pg from 'pg';
import { errorCode } from '../error-code.js';
import { DATABASE_USER } from './cluster.js';

export const DATABASE_NAME = 'postgres';
/** Everybody who uses the server holds this advisory lock, shared. */
const PRESENCE_LOCK = 4_271_000;

/** `starting` also stands for stopping: somebody holds the data folder, and the answer is to wait. */
export type Probe =
  | { readonly state: 'ready'; readonly presence: pg.Client }
  | { readonly state: 'starting' | 'absent' };

/** Starting up or shutting down, shut down just now, or gone without a word. */
const ON_THE_MOVE = new Set(['57P03', '57P01', '', 'ECONNRESET', 'EPIPE']);
const ABSENT = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Connects over the socket. The connection that comes back is the caller's presence: as long as it is open it holds a shared lock, and a
 * killed user lets go of it without a word to anybody. While the last user stops the server, a newcomer waits here until it is gone.
 */
export async function probe(sockets: string): Promise<Probe> {
  const presence = new pg.Client({
    host: sockets,
    user: DATABASE_USER,
    database: DATABASE_NAME,
    application_name: 'assay-presence',
    connectionTimeoutMillis: 5_000,
  });
  presence.on('error', () => undefined);
  try {
    await presence.connect();
    await presence.query('SELECT pg_advisory_lock_shared($1)', [PRESENCE_LOCK]);
    return { state: 'ready', presence };
  } catch (error) {
    await presence.end().catch(() => undefined);
    const code = errorCode(error);
    if (ABSENT.has(code)) return { state: 'absent' };
    if (ON_THE_MOVE.has(code)) return { state: 'starting' };
    throw error;
  }
}

/** Lets go of the presence, and tells whether nobody else has one. Of several who leave at once, exactly one is the last. */
export async function isLastToLeave(presence: pg.Client): Promise<boolean> {
  await presence.query('SELECT pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
  const { rows } = await presence.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [PRESENCE_LOCK]);
  return rows[0]?.last ?? false;
}
