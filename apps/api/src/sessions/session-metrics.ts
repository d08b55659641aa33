import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../telemetry/metrics.js';
import { SessionKeeper } from './session-keeper.js';

/** Counts the sessions of this process when it is asked. */
@Injectable()
export class SessionMetrics {
  constructor({ registry }: Metrics, keeper: SessionKeeper) {
    new Gauge({
      name: 'assay_sessions_open',
      help: 'Sessions that this process holds',
      registers: [registry],
      collect() {
        this.set(keeper.sessions.size);
      },
    });
  }
}
