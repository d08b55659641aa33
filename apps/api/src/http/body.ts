import type { IncomingMessage } from 'node:http';

export type BodyProblem = 'too_large' | 'too_slow' | 'hang_up';

/** Why a body could not be read. */
export class BodyRefused extends Error {
  constructor(readonly problem: BodyProblem) {
    super(`request body ${problem}`);
  }
}

/** How long the rest of a refused body is still taken in and thrown away. */
const DRAIN_MS = 1_000;

export interface BodyRules {
  limitBytes: number;
  timeoutMs: number;
}

/** The whole body, of which never more than the limit is held. */
export function readBody(request: IncomingMessage, { limitBytes, timeoutMs }: BodyRules): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let received = 0;
    let refused: BodyRefused | undefined;

    const finish = (settle: () => void) => {
      clearTimeout(timer);
      request.off('data', take).off('end', ended).off('close', closed);
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(refused ?? new BodyRefused('too_slow'))), timeoutMs);
    // Closing a connection with unread bytes on it resets it, and the caller would never see the refusal.
    const refuse = () => {
      refused = new BodyRefused('too_large');
      chunks = [];
      setTimeout(() => finish(() => reject(refused)), DRAIN_MS).unref();
    };
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (!refused && received > limitBytes) refuse();
      if (!refused) chunks.push(chunk);
    };
    const ended = () => finish(() => (refused ? reject(refused) : resolve(Buffer.concat(chunks))));
    const closed = () => finish(() => reject(refused ?? new BodyRefused('hang_up')));

    if (declared > limitBytes) refuse();
    request.on('data', take).once('end', ended).once('close', closed);
    if (request.destroyed) closed();
  });
}
