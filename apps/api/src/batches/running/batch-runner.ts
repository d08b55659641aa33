import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PostgresKeyStore } from '../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { Answering } from '../../answering/answering.js';
import { CLOCK, type Clock } from '../../clock.js';
import { Refusal } from '../../http/refusal.js';
import { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import { BLOBS, type BlobStore } from '../../storage/blobs/blob-store.js';
import { isDatabaseOutage } from '../../storage/database/outage.js';
import { faultFields, LOG, type Log } from '../../telemetry/log.js';
import { Metrics } from '../../telemetry/metrics.js';
import { Claims } from '../store/claims.js';
import { Ends } from '../store/ends.js';
import { Reading } from '../store/reading.js';
import { type AnsweredLine, type Charge, Recording } from '../store/recording.js';
import { Uploads } from '../store/uploads.js';
import { Housekeeping } from './housekeeping.js';
import { errorLine, LineAnswerer } from './line-answerer.js';
import { LineTexts } from './line-texts.js';
import { Rounds } from './rounds.js';
import { Worker } from './worker.js';

const TIME_MS = 1_000;
const FINISH_MS = 1_000;
const SWEEP_MS = 60_000;
const GRACE_MS = 5_000;
/** A cancel waits this long for what runs to finish; after it, the batch is shown as it is. */
const DRAIN_MS = 30_000;
const DRAIN_LOOK_MS = 50;

/** The work of this process on batches, from the start of the application to its end. */
@Injectable()
export class BatchRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly worker: Worker;
  private readonly housekeeping: Housekeeping;
  private readonly rounds: Rounds[];

  constructor(
    source: DataSource,
    answering: Answering,
    private readonly reading: Reading,
    ends: Ends,
    uploads: Uploads,
    @Inject(BLOBS) blobs: BlobStore,
    @Inject(CLOCK) now: Clock,
    @Inject(LOG) private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    const name = randomUUID();
    const fault = (error: unknown) => this.fault(error);
    const claims = new Claims(source, name, now);
    const recording = new Recording(source, name, chargeWith(new PostgresCreditStore(source)), () =>
      errorLine(new Refusal('insufficient_credit')),
    );
    const texts = new LineTexts(blobs);
    const answerer = new LineAnswerer({
      answering,
      texts,
      fault,
      keys: new PostgresKeyStore(source),
      workspaces: new PostgresWorkspaceStore(source),
    });
    this.housekeeping = new Housekeeping({ claims, ends, reading, uploads, blobs });
    const finishing = new Rounds(() => this.housekeeping.finish(), FINISH_MS, fault);
    this.worker = new Worker({
      claim: async (most) => {
        const claim = await claims.claim(most);
        texts.plan(claim?.lines ?? []);
        return claim;
      },
      release: (lines) => claims.release(lines),
      record: (answers) => recording.record(answers),
      fail: (id, reason) => ends.fail(id, reason),
      attempt: (batch, line, signal) => answerer.attempt(batch, line, signal),
      moved: (answers) => {
        this.count(answers);
        finishing.nudge();
      },
      fault,
    });
    this.rounds = [
      finishing,
      new Rounds(() => this.housekeeping.keepTime(), TIME_MS, fault),
      new Rounds(() => this.housekeeping.sweep(), SWEEP_MS, fault),
    ];
  }

  onApplicationBootstrap(): void {
    for (const round of this.rounds) round.start();
    this.worker.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.worker.stop(GRACE_MS);
    for (const round of this.rounds) await round.stop();
  }

  /** There may be something to run now. */
  nudge(): void {
    this.worker.nudge();
  }

  /** Once nothing of a cancelled batch runs any more, in any process, and its results are written; or after a while. */
  async drained(id: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + DRAIN_MS;
    while (performance.now() < until && !signal.aborted) {
      await this.housekeeping.finish(id);
      if (await this.reading.hasEnded(id)) return;
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
    }
  }

  private count(answers: readonly AnsweredLine[]): void {
    for (const { price } of answers)
      if (price) this.metrics.inputTokens.inc({ model: price.model, way: 'batch' }, price.tokens);
  }

  private fault(error: unknown): void {
    if (isDatabaseOutage(error)) this.log.warn('batches wait for the database');
    else this.log.error(faultFields(error), 'fault in a batch');
  }
}

const chargeWith =
  (credit: PostgresCreditStore): Charge =>
  async (sql, batch, line, price) => {
    const outcome = await credit.within(sql).charge({
      workspaceId: batch.workspaceId,
      keyId: batch.keyId,
      kind: 'batch_line',
      reference: `${batch.id}/${line.position}`,
      ...price,
    });
    return outcome !== 'insufficient_credit';
  };
