import type { DataSource } from 'typeorm';
import { rows } from './sql.js';

/** No upload takes this long: one that has no batch by then was refused or cut off, and its bytes are nobody's. */
const UNCLAIMED_MS = 24 * 3_600_000;

/** The blobs that requests lie in, and which of them may go. */
export class Uploads {
  constructor(
    private readonly source: DataSource,
    private readonly now: () => Date,
  ) {}

  /** Before the first byte of an upload is stored, so that one that never gets its batch is found and deleted. */
  async announce(blob: string): Promise<void> {
    await this.source.query('INSERT INTO batch_uploads (blob, started_at) VALUES ($1, $2)', [blob, this.now()]);
  }

  async unneeded(): Promise<string[]> {
    const found = await rows<{ blob: string }>(
      this.source,
      `SELECT blob FROM batch_uploads u LEFT JOIN batches b ON b.id = u.batch_id
       WHERE b.ended_at IS NOT NULL OR (u.batch_id IS NULL AND u.started_at < $1) LIMIT 100`,
      [new Date(this.now().getTime() - UNCLAIMED_MS)],
    );
    return found.map((row) => row.blob);
  }

  /** After the blob is gone, or was never written. */
  async forget(blob: string): Promise<void> {
    await this.source.query('DELETE FROM batch_uploads WHERE blob = $1', [blob]);
  }
}
