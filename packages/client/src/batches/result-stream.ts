import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResult } from '../generated/types.gen.js';

/** A response of the result file from a byte on. */
export type OpenFile = (firstByte: number, etag: string | undefined) => Promise<Response>;

const NEWLINE = 0x0a;
const BREAKS = 5;
const PAUSE_MS = 500;

/** The lines of the result file as they arrive. When the connection breaks, the rest is asked for from the line that was cut. */
export async function* resultLines(open: OpenFile): AsyncGenerator<BatchResult, void, undefined> {
  let done = 0;
  let etag: string | undefined;
  for (let breaks = 0; ; ) {
    const response = await open(done, etag);
    // An answer with the whole file to a question for the rest of it: what was given out before is passed over.
    let skip = done > 0 && response.status !== 206 ? done : 0;
    etag = response.headers.get('etag') ?? undefined;
    try {
      for await (const line of linesOf(response.body)) {
        if (skip > 0) {
          skip -= line.length + 1;
          continue;
        }
        done += line.length + 1;
        breaks = 0;
        yield JSON.parse(line.toString()) as BatchResult;
      }
      return;
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      breaks += 1;
      if (breaks > BREAKS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  for await (const chunk of body ?? []) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...held, bytes.subarray(from, at)]);
      held = [];
      from = at + 1;
    }
    held.push(bytes.subarray(from));
  }
}
