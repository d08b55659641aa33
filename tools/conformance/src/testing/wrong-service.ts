import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WrongService {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Looks like the service at a glance: it lists a model and answers every truth question, always with the same body. */
const REPLIES: { readonly [path: string]: object } = {
  '/v1/models': {
    models: [{ id: 'wrong-1.0', aliases: [], rate_limit: { requests_per_minute: 60 } }],
    aliases: { 'wrong-latest': 'wrong-0.9' },
    next_offset: null,
  },
  '/v1/decide': {
    model: 'wrong-1.0',
    answers: { q: { type: 'truth', truth: 0.123456 }, QUESTION: {} },
    usage: { inputTokens: 7, output_tokens: 3 },
  },
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once('end', () => {
    const { pathname } = new URL(request.url ?? '/', 'http://any');
    const reply = REPLIES[pathname];
    response.writeHead(reply ? 200 : 500, { 'content-type': 'text/html' });
    response.end(JSON.stringify(reply ?? { error: 'oops' }));
  });
}

export async function openWrongService(): Promise<WrongService> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
