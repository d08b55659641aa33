import { stringify } from '@assay/contract';
import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '../../storage/blobs/blob-store.js';
import type { BatchRecord } from '../batch.js';
import { Reading } from '../store/reading.js';
import { resultsName } from './blob-names.js';

const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** Reads result files in parts. */
@Injectable()
export class ResultFiles {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly reading: Reading,
  ) {}

  /** Both ends included. */
  async bytes(batchId: string, first: number, last: number): Promise<AsyncIterable<Uint8Array>> {
    const content = await this.blobs.get(resultsName(batchId), { start: first, end: last });
    if (!content) throw new Error(`the result file of ${batchId} is missing`);
    return content;
  }

  /** A page as JSON text. Lines are taken from the file as they are, so that both forms show the same bytes. */
  async page(batch: BatchRecord, offset: number, limit: number): Promise<AsyncIterable<Uint8Array>> {
    const total = batch.requests;
    const count = Math.max(0, Math.min(limit, total - offset));
    const next = offset + count < total ? offset + count : null;
    const end = stringify({ offset, limit, total, next_offset: next }).replace('{', '],');
    const offsets = count > 0 ? await this.reading.resultOffsets(batch.id, offset, count) : [];
    const [first, last] = [offsets[0], offsets[count]];
    const lines = first === undefined || last === undefined ? [] : await this.bytes(batch.id, first, last - 2);
    return (async function* () {
      yield Buffer.from('{"results":[');
      for await (const chunk of lines) yield separated(chunk);
      yield Buffer.from(end);
    })();
  }
}

/** A line of the file holds no line break of its own: JSON escapes them. */
function separated(chunk: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(chunk);
  for (let at = copy.indexOf(NEWLINE); at !== -1; at = copy.indexOf(NEWLINE, at + 1)) copy[at] = COMMA;
  return copy;
}
