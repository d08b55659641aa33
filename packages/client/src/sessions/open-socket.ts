import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type AssayError, errorFrom } from '../errors.js';

/** The error of an upgrade that was refused: the same classes as for any call. */
async function refusal(response: IncomingMessage): Promise<AssayError> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const status = response.statusCode ?? 500;
  return errorFrom(new Response(null, { status, headers }), parsed(Buffer.concat(chunks).toString('utf8')));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The socket of a stream, open; throws the typed error of a refused upgrade. */
export function openSocket(url: string, apiKey: string, signal?: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}` } });
    const leave = () => {
      socket.terminate();
      reject(signal?.reason);
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    socket.once('unexpected-response', (_request, response) => {
      refusal(response).then(reject, reject);
    });
    socket.once('error', reject);
    socket.once('open', () => {
      signal?.removeEventListener('abort', leave);
      resolve(socket);
    });
  });
}
