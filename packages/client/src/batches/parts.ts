import type { BatchRequest } from '../generated/types.gen.js';

/** Lines that are uploaded in one call. */
export interface Part {
  readonly text: string;
  readonly lines: number;
}

/** Below the 10 MiB of an add call, with room for one more line of ordinary size. */
const PART_BYTES = 8 * 1024 * 1024;

type Lines = Iterable<BatchRequest> | AsyncIterable<BatchRequest>;

/** Packs lines into calls as they come, so that no more than one call of them is held. */
export async function* parts(lines: Lines, partBytes = PART_BYTES): AsyncGenerator<Part, void, undefined> {
  let text: string[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const written = `${JSON.stringify(line)}\n`;
    const size = Buffer.byteLength(written);
    if (text.length > 0 && bytes + size > partBytes) {
      yield { text: text.join(''), lines: text.length };
      text = [];
      bytes = 0;
    }
    text.push(written);
    bytes += size;
  }
  if (text.length > 0) yield { text: text.join(''), lines: text.length };
}

/** The lines after the first `count`. */
export async function* after(lines: Lines, count: number): AsyncGenerator<BatchRequest, void, undefined> {
  let seen = 0;
  for await (const line of lines) {
    seen += 1;
    if (seen > count) yield line;
  }
}
