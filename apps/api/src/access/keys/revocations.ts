import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig, type DatabaseAddress } from '../../storage/database/address.js';

export type RevocationListener = (keyId: string) => void;

const CHANNEL = 'key_revoked';
const RECONNECT_MS = 500;
/** Covers a revocation whose transaction took its time before it became visible. */
const LOOK_BACK = '5 minutes';

/**
 * Tells every process at once that a key was revoked, so that streams which are open under it can be closed. The database announces it,
 * whoever made the change; after a lost connection the keys revoked in the meantime are told too. A listener may hear of a key twice.
 */
export class Revocations {
  private readonly listeners = new Set<RevocationListener>();
  private client: pg.Client | undefined;
  private since: Date | undefined;
  private stopped = false;

  constructor(private readonly address: DatabaseAddress) {}

  onRevoked(listener: RevocationListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      ...clientConfig(this.address),
      application_name: 'assay-revocations',
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => payload && this.tell(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      await this.catchUp(client);
      this.client = client;
      client.once('end', () => void this.reconnect());
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.client?.end().catch(() => undefined);
  }

  private async catchUp(client: pg.Client): Promise<void> {
    const missed = await client.query<{ id: string }>(
      `SELECT id FROM api_keys WHERE revoked_at >= $1::timestamptz - interval '${LOOK_BACK}'`,
      [this.since ?? new Date()],
    );
    const { rows } = await client.query<{ now: Date }>('SELECT now()');
    this.since = rows[0]?.now;
    for (const { id } of missed.rows) this.tell(id);
  }

  private async reconnect(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.start();
        return;
      } catch {
        await sleep(RECONNECT_MS);
      }
    }
  }

  private tell(keyId: string): void {
    for (const listener of this.listeners) listener(keyId);
  }
}
