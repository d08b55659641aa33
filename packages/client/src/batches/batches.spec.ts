import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Assay } from '../assay.js';
import type { Batch, BatchRequest, BatchResult } from '../generated/types.gen.js';
import { after, parts } from './parts.js';

const line = (id: string, text = ''): BatchRequest => ({
  custom_id: id,
  body: { model: 'assay-1.0', state: text, questions: { q: { type: 'truth' } } },
});
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(`row-${at}`));

/** A service that keeps one batch as the real one does, and loses what it is told to lose. */
class BatchService {
  readonly server: Server;
  uploaded: string[] = [];
  state: Batch['state'] = 'draft';
  looks = 0;
  creates = 0;
  adds = 0;
  /** The answers of these adds are lost after they took effect. */
  loseAdds = new Set<number>();
  /** Bytes of the result file that are sent before the connection breaks, one entry for each break. */
  breaks: number[] = [];
  ranges: (string | undefined)[] = [];

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  get batch(): Batch {
    const count = this.uploaded.length;
    const ended = this.state === 'completed';
    return {
      id: 'batch_8fJ2kLm4Qz',
      state: this.state,
      counters: {
        requests: count,
        queued: 0,
        in_progress: 0,
        completed: ended ? count : 0,
        failed: 0,
        expired: 0,
        cancelled: 0,
      },
      created_at: '2026-11-20T12:00:00.000Z',
      finalized_at: null,
      expires_at: null,
      ended_at: ended ? '2026-11-20T12:00:00.000Z' : null,
      results_url: null,
      results_expire_at: null,
      price_factor: 0.5,
      usage: { input_tokens: 0, output_tokens: 0 },
      error: null,
    };
  }

  private get file(): Buffer {
    return Buffer.from(
      this.uploaded.map((id) => `{"custom_id":"${id}","status":"expired","body":null,"headers":{}}\n`).join(''),
    );
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    if (request.method === 'POST' && !path.endsWith('/finalize')) {
      const add = path.endsWith('/requests');
      if (add) this.adds += 1;
      else this.creates += 1;
      this.uploaded.push(
        ...body
          .trimEnd()
          .split('\n')
          .map((each) => (JSON.parse(each) as BatchRequest).custom_id),
      );
      if (add && this.loseAdds.delete(this.adds)) return void request.socket.destroy();
    } else if (path.endsWith('/finalize')) this.state = 'queued';
    else if (path.endsWith('/results')) return this.sendFile(request, response);
    else if (this.state !== 'draft') {
      this.looks += 1;
      this.state = this.looks > 2 ? 'completed' : 'running';
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(this.batch));
  }

  private sendFile(request: IncomingMessage, response: ServerResponse): void {
    this.ranges.push(request.headers.range);
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const part = this.file.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { etag: '"e"', 'content-length': String(part.length) });
    const cut = this.breaks.shift();
    if (cut === undefined) return void response.end(part);
    response.write(part.subarray(0, cut), () => setTimeout(() => response.destroy(), 20));
  }
}

let service: BatchService;
let assay: Assay;
beforeEach(async () => {
  service = new BatchService();
  await new Promise<void>((done) => service.server.listen(0, '127.0.0.1', done));
  const { port } = service.server.address() as AddressInfo;
  assay = new Assay({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'asy_live_x', firstDelay: 1 });
});
afterEach(() => {
  service.server.closeAllConnections();
  return new Promise((done) => service.server.close(done));
});

const fast = { firstPoll: 1, slowestPoll: 2 };
async function ids(results: AsyncIterable<BatchResult>): Promise<string[]> {
  const found: string[] = [];
  for await (const result of results) found.push(result.custom_id);
  return found;
}
const wanted = (count: number) => lines(count).map((each) => each.custom_id);

test('uploads, finalizes, waits and gives the results in order', async () => {
  const seen: string[] = [];
  const onProgress = (batch: Batch) => seen.push(batch.state);
  expect(await ids(assay.batches.run(lines(50), { ...fast, onProgress }))).toEqual(wanted(50));
  expect(seen).toEqual(['draft', 'running', 'running', 'completed']);
  expect([service.creates, service.adds]).toEqual([1, 0]);
});

test('large uploads are sent in several calls, and an add that took effect is not sent again', async () => {
  service.loseAdds.add(1);
  const large = Array.from({ length: 5 }, (_, at) => line(`row-${at}`, 'x'.repeat(4 * 1024 * 1024)));
  expect(await ids(assay.batches.run(large, fast))).toEqual(wanted(5));
  expect([service.creates, service.adds]).toEqual([1, 4]);
});

test('goes on with a draft, and with a finalized batch, by its id', async () => {
  service.uploaded = wanted(3);
  const { id } = service.batch;
  expect(await ids(assay.batches.run(lines(5), { ...fast, id }))).toEqual(wanted(5));
  expect([service.creates, service.adds]).toEqual([0, 1]);
  expect(await ids(assay.batches.run([], { ...fast, id }))).toEqual(wanted(5));
});

test('reads on from the line at which the connection broke', async () => {
  service.breaks = [100, 0, 500];
  expect(await ids(assay.batches.run(lines(30), fast))).toEqual(wanted(30));
  expect(service.ranges[0]).toBeUndefined();
  expect(service.ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
});

test('a batch without lines is no batch', async () => {
  await expect(ids(assay.batches.run([], fast))).rejects.toThrow('at least one line');
});

test('parts hold whole lines', async () => {
  const found = [];
  for await (const part of parts(after(lines(10), 3), 250)) found.push(part);
  expect(found.map((part) => part.lines).reduce((a, b) => a + b)).toBe(7);
  expect(found.map((part) => part.text).join('')).toBe(
    lines(10)
      .slice(3)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  for (const { text } of found) expect(text.length).toBeLessThanOrEqual(250);
});
