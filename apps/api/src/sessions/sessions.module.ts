import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { KeptAnsweringModule } from '../answering/kept/kept.module.js';
import { CLOCK, type Clock } from '../clock.js';
import { BaseUrl } from '../http/base-url.js';
import { SessionFaults } from './faults.js';
import { Opening } from './opening.js';
import { SessionKeeper } from './session-keeper.js';
import { STREAM_LIMITS, STREAM_LIMITS_TOKEN } from './session-limits.js';
import { SessionMetrics } from './session-metrics.js';
import { SessionsController } from './sessions.controller.js';
import { Holders } from './store/holders.js';
import { SessionStore } from './store/session-store.js';
import { StreamAdmission } from './stream/admission.js';
import { StreamServer } from './stream/stream-server.js';
import { StreamUrl } from './stream-url.js';

@Module({
  imports: [KeptAnsweringModule],
  controllers: [SessionsController],
  providers: [
    { provide: STREAM_LIMITS_TOKEN, useValue: { ...STREAM_LIMITS } },
    {
      provide: SessionStore,
      useFactory: (source: DataSource, now: Clock) => new SessionStore(source, now),
      inject: [DataSource, CLOCK],
    },
    { provide: Holders, useFactory: (source: DataSource) => new Holders(source), inject: [DataSource] },
    BaseUrl,
    Opening,
    SessionFaults,
    SessionKeeper,
    SessionMetrics,
    StreamAdmission,
    StreamServer,
    StreamUrl,
  ],
})
export class SessionsModule {}
