import { pipeline } from 'node:stream/promises';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CLOCK, type Clock } from '../../clock.js';
import type { Call } from '../../http/call.js';
import { Asked, Implement } from '../../http/implement.js';
import { Refusal } from '../../http/refusal.js';
import { Written } from '../../http/written.js';
import { Metering } from '../../metering/metering.js';
import { type BatchRecord, resultsExpireAt } from '../batch.js';
import { NO_BATCH } from '../refusals.js';
import { Reading } from '../store/reading.js';
import { isKnown, wantedRange } from './range.js';
import { ResultFiles } from './result-files.js';

const NDJSON = 'application/x-ndjson';

@Controller()
export class ResultsController {
  constructor(
    private readonly reading: Reading,
    private readonly files: ResultFiles,
    private readonly metering: Metering,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Implement('getBatchResults')
  async getBatchResults(
    @Asked() call: Call<'getBatchResults'>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<Written> {
    const { format, offset, limit } = call.query;
    const batch = await this.readable(call.caller.key.id, call.params.id);
    await this.metering.admit(call);
    if (format === 'json') send(response, 'application/json', await this.files.page(batch, offset, limit));
    else await this.file(batch, request, response);
    return new Written();
  }

  private async readable(keyId: string, id: string): Promise<BatchRecord> {
    const batch = await this.reading.find(keyId, id);
    if (!batch) throw new Refusal('not_found_error', { message: NO_BATCH });
    const until = resultsExpireAt(batch);
    if (!until) throw new Refusal('results_not_ready');
    if (until <= this.now()) throw new Refusal('results_expired');
    return batch;
  }

  private async file(batch: BatchRecord, request: Request, response: Response): Promise<void> {
    const { resultsBytes: bytes, resultsEtag: etag } = batch;
    if (bytes === null || etag === null) throw new Refusal('results_expired');
    response.set({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' });
    if (isKnown(request.headers['if-none-match'], etag)) return void response.status(304).end();
    const wanted = wantedRange(request.headers.range, request.get('if-range'), etag, bytes);
    const { first, last } = wanted === 'whole' ? { first: 0, last: bytes - 1 } : wanted;
    const content = await this.files.bytes(batch.id, first, last);
    if (wanted !== 'whole') response.status(206).set('content-range', `bytes ${first}-${last}/${bytes}`);
    response.set('content-length', String(last - first + 1));
    send(response, NDJSON, content);
  }
}

/** Once it has begun, all that can be said about a failure is to break off: the caller sees that the answer is not complete. */
function send(response: Response, type: string, content: AsyncIterable<Uint8Array>): void {
  response.type(type);
  pipeline(content, response).catch(() => response.destroy());
}
