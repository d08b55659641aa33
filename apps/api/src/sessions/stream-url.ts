import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/load.js';
import { BaseUrl } from '../http/base-url.js';

/** The address of this very process for streams: as configured, or the public address with ws(s). */
@Injectable()
export class StreamUrl {
  constructor(
    private readonly baseUrl: BaseUrl,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_STREAM_URL'>,
  ) {}

  of(sessionId: string): string {
    const base = this.config.ASSAY_STREAM_URL ?? this.baseUrl.get().replace(/^http/, 'ws');
    return `${base.replace(/\/+$/, '')}/v1/sessions/${sessionId}/stream`;
  }
}
