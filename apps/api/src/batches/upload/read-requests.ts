import { createHash } from 'node:crypto';
import { JsonError, limits, parse } from '@assay/contract';
import type { UploadedLine } from '../store/drafts.js';
import { JsonArray } from './json-array.js';
import { JsonLines } from './json-lines.js';
import { type Splitter, UploadRefused } from './splitter.js';

/** What a body of live decide may have, with room for the id around it. */
const LINE_BYTES = limits.jsonBody.value + 8_192;
/** A body may have the levels of a live one; the line around it is one more. */
const LINE_LEVELS = 65;
/** Stored in parts of about this size, not line by line. */
const PART_BYTES = 262_144;
const NEWLINE = Buffer.from('\n');

/** The end of the result line of a body that decide's validation refuses; null for one that may run. */
export type Refuse = (body: unknown) => string | null;

export type UploadKind = 'application/json' | 'application/x-ndjson';

export interface Line {
  readonly customId: string;
  readonly body: unknown;
}

const splitters: Readonly<Record<UploadKind, new (limitBytes: number) => Splitter>> = {
  'application/json': JsonArray,
  'application/x-ndjson': JsonLines,
};

/** The request in the text of a line. What it throws refuses the whole upload. */
export function readLine(text: Buffer, line: number): Line {
  const value = parsed(text, line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UploadRefused('usage', 'a request must be an object with custom_id and body', line);
  const request = value as Readonly<Record<string, unknown>>;
  const customId = Object.hasOwn(request, 'custom_id') ? request['custom_id'] : undefined;
  if (typeof customId !== 'string') throw new UploadRefused('usage', 'custom_id must be a string', line);
  const characters = [...customId].length;
  if (characters === 0 || characters > limits.customId.value)
    throw new UploadRefused('usage', `custom_id must have 1 to ${limits.customId.value} characters`, line);
  if (!Object.hasOwn(request, 'body')) throw new UploadRefused('usage', 'body is missing', line);
  const unknown = Object.keys(request).find((name) => name !== 'custom_id' && name !== 'body');
  if (unknown !== undefined)
    throw new UploadRefused('usage', 'a request has only custom_id and body, no other field', line);
  return { customId, body: request['body'] };
}

function parsed(text: Buffer, line: number): unknown {
  try {
    return parse(text, { depth: LINE_LEVELS });
  } catch (error) {
    if (error instanceof JsonError) throw new UploadRefused('usage', `not JSON that is taken: ${error.message}`, line);
    throw error;
  }
}

/**
 * Reads the requests of an upload while it arrives, notes them in `found`, and gives their texts on, one per line, to be stored. Memory
 * holds one request and a small note of each; no more are noted than a batch may have.
 */
export async function* readRequests(
  chunks: AsyncIterable<Buffer>,
  kind: UploadKind,
  refuse: Refuse,
  found: UploadedLine[],
): AsyncGenerator<Buffer, void, undefined> {
  const splitter = new splitters[kind](LINE_BYTES);
  const seen = new Set<string>();
  let start = 0;
  const note = (text: Buffer): Buffer => {
    const line = found.length + 1;
    if (line > limits.batchRequests.value)
      throw new UploadRefused('usage', limits.batchRequests.message(`over ${limits.batchRequests.value}`));
    const { customId, body } = readLine(text, line);
    if (seen.has(customId)) throw new UploadRefused('usage', 'custom_id occurs twice in the batch', line);
    seen.add(customId);
    found.push({ ...identified(customId), start, bytes: text.length, refusal: refuse(body) });
    start += text.length + NEWLINE.length;
    return text;
  };
  let gathered: Buffer[] = [];
  let bytes = 0;
  const gather = (texts: Iterable<Buffer>) => {
    for (const text of texts) {
      gathered.push(note(text), NEWLINE);
      bytes += text.length + NEWLINE.length;
    }
  };
  for await (const chunk of chunks) {
    gather(splitter.push(chunk));
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(gathered, bytes);
    gathered = [];
    bytes = 0;
  }
  gather(splitter.end());
  yield Buffer.concat(gathered, bytes);
}

function identified(customId: string): Pick<UploadedLine, 'customId' | 'digest'> {
  const literal = JSON.stringify(customId);
  return { customId: literal, digest: createHash('sha256').update(literal).digest() };
}
