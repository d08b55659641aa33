import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PostgresIdempotencyStore } from '../../storage/idempotency/postgres-idempotency-store.js';
import { faultFields, LOG, type Log } from '../../telemetry/log.js';

const EVERY_MS = 60 * 60 * 1_000;

/** Deletes keys and kept answers after their 24 hours, every hour in every process. */
@Injectable()
export class ExpiredKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly keys: PostgresIdempotencyStore,
    @Inject(LOG) private readonly log: Pick<Log, 'warn'>,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep();
    }, EVERY_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  async sweep(): Promise<void> {
    await this.keys
      .forgetExpired()
      .catch((error: unknown) => this.log.warn(faultFields(error), 'expired keys were not swept'));
  }
}
