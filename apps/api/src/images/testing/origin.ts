import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Origin extends AsyncDisposable {
  readonly port: number;
  /** Paths asked for, with the Host they were asked under. */
  readonly asked: string[];
  connections(): number;
}

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A web server of the tests, on one address of this machine. */
export async function origin(handler: Handler, tls?: { key: string; cert: string }): Promise<Origin> {
  const asked: string[] = [];
  let connections = 0;
  const answer: Handler = (request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    handler(request, response);
  };
  const server = tls ? https.createServer(tls, answer) : http.createServer(answer);
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((ready) => server.listen(0, ready));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
