import type { IncomingMessage } from 'node:http';
import { BodyRefused } from '../../http/body.js';

export interface ArrivalRules {
  readonly limitBytes: number;
  /** The time a body may take besides what its size is given. */
  readonly timeoutMs: number;
}

/** A sender at this pace is never too slow, however large its upload. */
const SLOWEST_BYTES_PER_MS = 64;
/** How long the rest of a refused body is still taken in and thrown away. */
const DRAIN_MS = 1_000;

/**
 * The chunks of a body, asked for one at a time: who reads slowly slows the sender down. One that is too large or too slow is refused
 * with what is thrown here; whatever its reader throws, the rest of the body is taken in for a while, so that the caller sees the refusal.
 */
export async function* arriving(
  request: IncomingMessage,
  { limitBytes, timeoutMs }: ArrivalRules,
): AsyncGenerator<Buffer, void, undefined> {
  const started = performance.now();
  let received = 0;
  let waitedFor = true;
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new BodyRefused('too_large');
    for (;;) {
      const left = timeoutMs + received / SLOWEST_BYTES_PER_MS - (performance.now() - started);
      waitedFor = false;
      const next: IteratorResult<Buffer> = await within(left, chunks.next());
      waitedFor = true;
      if (next.done) break;
      received += next.value.length;
      if (received > limitBytes) throw new BodyRefused('too_large');
      yield next.value;
    }
    if (!request.complete) throw new BodyRefused('hang_up');
  } finally {
    // A body that came too late is not waited for again.
    if (waitedFor) await chunks.return?.();
    if (waitedFor && !request.complete) await drain(request);
  }
}

function within<T>(ms: number, next: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new BodyRefused('too_slow')), Math.max(0, ms));
    next.then(resolve, () => reject(new BodyRefused('hang_up'))).finally(() => clearTimeout(late));
  });
}

function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, DRAIN_MS);
    const done = () => {
      clearTimeout(enough);
      resolve();
    };
    request.once('end', done).once('close', done).resume();
    if (request.destroyed) done();
  });
}
