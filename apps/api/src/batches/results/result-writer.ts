import { createHash } from 'node:crypto';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { BatchRecord } from '../batch.js';
import type { ResultFile } from '../store/ends.js';
import type { Reading } from '../store/reading.js';
import { resultsName } from './blob-names.js';
import { resultLine } from './result-line.js';

const PAGE = 500;
const ENTRY_BYTES = 8;

/** Writes the result file of a batch of which nothing runs any more. The same lines make the same file, whoever writes it. */
export async function writeResults(batch: BatchRecord, reading: Reading, blobs: BlobStore): Promise<ResultFile> {
  const index = Buffer.alloc((batch.requests + 1) * ENTRY_BYTES);
  const hash = createHash('sha256');
  let written = 0;
  let bytes = 0;
  const content = async function* () {
    for (let after = -1; ; ) {
      const lines = await reading.lines(batch.id, after, PAGE);
      const parts = lines.map((line) => Buffer.from(resultLine(line, batch.failure)));
      for (const part of parts) {
        index.writeBigUInt64BE(BigInt(bytes), written * ENTRY_BYTES);
        written += 1;
        bytes += part.length;
        hash.update(part);
      }
      if (parts.length > 0) yield Buffer.concat(parts);
      if (lines.length < PAGE) return;
      after = lines.at(-1)!.position;
    }
  };
  await blobs.put(resultsName(batch.id), content());
  if (written !== batch.requests) throw new Error(`${batch.id} has ${written} lines of ${batch.requests}`);
  index.writeBigUInt64BE(BigInt(bytes), written * ENTRY_BYTES);
  return { bytes, etag: `"${hash.digest('hex')}"`, index };
}
