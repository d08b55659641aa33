import type { DataSource } from 'typeorm';

/** A process that has not been heard of for this long is gone, and its sessions with it. */
const ALIVE_SECONDS = 15;

const BEAT = `
  INSERT INTO session_holders (id, alive_until) VALUES ($1, now() + interval '${ALIVE_SECONDS} s')
  ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`;
const ENDED = 'SELECT id FROM sessions WHERE id = ANY($1) AND ended_at IS NOT NULL';
const SWEEP = `
  WITH gone AS (DELETE FROM session_holders WHERE alive_until < now() RETURNING id)
  UPDATE sessions SET ended_at = now(), reason = 'server_shutdown' WHERE ended_at IS NULL AND holder IN (SELECT id FROM gone)`;

/** Which processes hold sessions, by the database's own clock: sessions of one that died must not count against their keys. */
export class Holders {
  constructor(private readonly source: DataSource) {}

  /** Says that `holder` is alive, and tells which of its sessions were ended by another process. */
  async beat(holder: string, sessions: readonly string[]): Promise<string[]> {
    await this.source.query(BEAT, [holder]);
    if (sessions.length === 0) return [];
    const ended = await this.source.query<{ id: string }[]>(ENDED, [sessions]);
    return ended.map(({ id }) => id);
  }

  /** Ends the sessions of processes that are gone. */
  async sweep(): Promise<void> {
    await this.source.query(SWEEP);
  }

  async leave(holder: string): Promise<void> {
    await this.source.query('DELETE FROM session_holders WHERE id = $1', [holder]);
  }
}
