import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { faultFields, LOG, type Log } from '../../telemetry/log.js';
import { KeptPictures } from './kept-pictures.js';

const EVERY_MS = 10 * 60 * 1_000;

/** Deletes what has expired, every ten minutes in every process; what one misses the next round takes. */
@Injectable()
export class ExpiredUploads implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly kept: KeptPictures,
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

  private async sweep(): Promise<void> {
    await this.kept
      .forgetExpired()
      .catch((error: unknown) => this.log.warn(faultFields(error), 'expired uploads were not swept'));
  }
}
