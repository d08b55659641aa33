import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { BatchRecord } from '../batch.js';
import { resultsName } from '../results/blob-names.js';
import { writeResults } from '../results/result-writer.js';
import type { Claims } from '../store/claims.js';
import type { Ends } from '../store/ends.js';
import type { Reading } from '../store/reading.js';
import type { Uploads } from '../store/uploads.js';

export interface HousekeepingParts {
  readonly claims: Claims;
  readonly ends: Ends;
  readonly reading: Reading;
  readonly uploads: Uploads;
  readonly blobs: BlobStore;
}

/** What is done for batches besides answering their lines. Every step may be repeated, by any process, after any crash. */
export class Housekeeping {
  constructor(private readonly parts: HousekeepingParts) {}

  /** Leases and cut-offs. */
  async keepTime(): Promise<void> {
    await this.parts.claims.renew();
    await this.parts.claims.reap();
    await this.parts.ends.expire();
  }

  /** Writes the results of batches that are through, or of one of them. */
  async finish(id?: string): Promise<void> {
    for (
      let batch = await this.parts.ends.toFinish(id);
      batch;
      batch = id ? undefined : await this.parts.ends.toFinish()
    )
      await this.finishOne(batch);
  }

  /** Deletes what nobody can ask for any more: results after their time, uploads that are run or never became a batch. */
  async sweep(): Promise<void> {
    const { ends, uploads, blobs } = this.parts;
    for (const id of await ends.outlived()) {
      await blobs.delete(resultsName(id));
      await ends.forget(id);
    }
    for (const blob of await uploads.unneeded()) {
      await blobs.delete(blob);
      await uploads.forget(blob);
    }
  }

  private async finishOne(batch: BatchRecord): Promise<void> {
    const { ends, reading, blobs } = this.parts;
    try {
      await ends.finish(batch.id, await writeResults(batch, reading, blobs));
    } catch (error) {
      await ends.giveUpFinishing(batch.id);
      throw error;
    }
  }
}
