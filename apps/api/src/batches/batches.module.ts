import { limits } from '@assay/contract';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AnsweringModule } from '../answering/answering.module.js';
import { CLOCK, type Clock } from '../clock.js';
import { BaseUrl } from '../http/base-url.js';
import { BatchesController } from './batches.controller.js';
import { ResultFiles } from './results/result-files.js';
import { ResultsController } from './results/results.controller.js';
import { BatchRunner } from './running/batch-runner.js';
import { type DraftLimits, Drafts } from './store/drafts.js';
import { Ends } from './store/ends.js';
import { Reading } from './store/reading.js';
import { Uploads } from './store/uploads.js';
import { Intake } from './upload/intake.js';

const LIMITS: DraftLimits = {
  requestsPerBatch: limits.batchRequests.value,
  bytesPerBatch: limits.batchUpload.value,
  activeBatchesPerKey: limits.activeBatches.value,
  activeRequestsPerKey: limits.activeRequests.value,
};

const timed = <T>(Store: new (source: DataSource, now: Clock) => T) => ({
  provide: Store,
  useFactory: (source: DataSource, now: Clock) => new Store(source, now),
  inject: [DataSource, CLOCK],
});

@Module({
  imports: [AnsweringModule],
  controllers: [BatchesController, ResultsController],
  providers: [
    {
      provide: Drafts,
      useFactory: (source: DataSource, now: Clock) => new Drafts(source, LIMITS, now),
      inject: [DataSource, CLOCK],
    },
    { provide: Reading, useFactory: (source: DataSource) => new Reading(source), inject: [DataSource] },
    timed(Ends),
    timed(Uploads),
    BaseUrl,
    BatchRunner,
    Intake,
    ResultFiles,
  ],
})
export class BatchesModule {}
