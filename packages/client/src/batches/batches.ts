import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, errorFrom } from '../errors.js';
import type { Batch, BatchRequest, BatchResult } from '../generated/types.gen.js';
import { after, parts } from './parts.js';
import { resultLines } from './result-stream.js';

export interface BatchRunOptions {
  /** Called after every upload and at every look at the batch: its counters tell how far it is. */
  readonly onProgress?: (batch: Batch) => void;
  /**
   * Go on with the batch that an earlier run began. Note its id (`onProgress` shows it) and give the same lines again: those that it has
   * are passed over, and a batch that was finalized needs none.
   */
  readonly id?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds between the first looks, growing to `slowestPoll`; 500 and 30,000 when left out. */
  readonly firstPoll?: number;
  readonly slowestPoll?: number;
}

/** The calls that the helper stands on. */
export interface BatchTransport {
  readonly baseUrl: string;
  readonly apiKey: string;
  send(request: Request): Promise<Response>;
}

const POLL = { first: 500, slowest: 30_000, growth: 1.5 };
const TRIES = 5;

type Lines = Iterable<BatchRequest> | AsyncIterable<BatchRequest>;

/** Whole batches: from lines to results, over interruptions. */
export class Batches {
  constructor(private readonly transport: BatchTransport) {}

  /**
   * Uploads the lines, finalizes, waits, and gives the results in the order of the lines. A create whose answer was lost throws: the draft
   * that it may have left is seen in `listBatches`, and is cancelled by the service after a week.
   */
  async *run(lines: Lines, options: BatchRunOptions = {}): AsyncGenerator<BatchResult, Batch, undefined> {
    const batch = options.id === undefined ? undefined : await this.get(options.id, options.signal);
    const finalized = await this.uploadAndFinalize(lines, batch, options);
    const ended = await this.wait(finalized.id, options);
    yield* this.results(ended.id, options.signal);
    return ended;
  }

  /** Waits until the batch has ended. */
  async wait(id: string, options: Omit<BatchRunOptions, 'id'> = {}): Promise<Batch> {
    const { onProgress, signal, firstPoll = POLL.first, slowestPoll = POLL.slowest } = options;
    for (let pause = firstPoll; ; pause = Math.min(slowestPoll, pause * POLL.growth)) {
      const batch = await this.get(id, signal);
      onProgress?.(batch);
      if (batch.ended_at !== null) return batch;
      await sleep(pause, undefined, { signal });
    }
  }

  /** The results of a batch that has ended, read as a stream. */
  results(id: string, signal?: AbortSignal): AsyncGenerator<BatchResult, void, undefined> {
    return resultLines((firstByte, etag) =>
      this.call('GET', `/${id}/results`, {
        signal,
        headers: firstByte > 0 && etag ? { range: `bytes=${firstByte}-`, 'if-range': etag } : {},
      }),
    );
  }

  private async uploadAndFinalize(lines: Lines, begun: Batch | undefined, options: BatchRunOptions): Promise<Batch> {
    if (begun && begun.state !== 'draft') return begun;
    let batch = begun;
    for await (const part of parts(batch ? after(lines, batch.counters.requests) : lines)) {
      batch = batch
        ? await this.add(batch, part.text, part.lines, options.signal)
        : await this.create(part.text, options);
      options.onProgress?.(batch);
    }
    if (!batch) throw new RangeError('A batch needs at least one line.');
    return this.json(await this.call('POST', `/${batch.id}/finalize`, { signal: options.signal }));
  }

  private async create(text: string, { signal }: BatchRunOptions): Promise<Batch> {
    return this.json(await this.call('POST', '', { body: text, signal }));
  }

  /** An add whose answer was lost is looked up in the batch before it is sent again, so that no line is added twice. */
  private async add(batch: Batch, text: string, lines: number, signal?: AbortSignal): Promise<Batch> {
    for (let tries = 1; ; tries += 1)
      try {
        return await this.json(await this.call('POST', `/${batch.id}/requests`, { body: text, signal }));
      } catch (error) {
        const lost = !(error instanceof AssayError) || error.status >= 500;
        if (!lost || tries === TRIES || signal?.aborted) throw error;
        const now = await this.get(batch.id, signal);
        if (now.counters.requests === batch.counters.requests + lines) return now;
      }
  }

  private async get(id: string, signal?: AbortSignal): Promise<Batch> {
    return this.json(await this.call('GET', `/${id}`, { signal }));
  }

  private async json(response: Response): Promise<Batch> {
    return (await response.json()) as Batch;
  }

  private async call(
    method: string,
    path: string,
    {
      body,
      signal,
      headers,
    }: { body?: string; signal?: AbortSignal | undefined; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { baseUrl, apiKey, send } = this.transport;
    const request = new Request(`${baseUrl}/v1/batches${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/x-ndjson' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    const response = await send(request);
    if (!response.ok) throw errorFrom(response, await response.json().catch(() => undefined));
    return response;
  }
}
