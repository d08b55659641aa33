import { Agent, createServer, get, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from './shutdown.js';

async function serving(handler: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, port: (server.address() as AddressInfo).port };
}

const call = (port: number, agent?: Agent) =>
  new Promise<string>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });

test('a call in flight gets its answer, a later one gets no connection', async () => {
  let answer: () => void = () => undefined;
  const started = Promise.withResolvers<void>();
  const { server, port } = await serving((_, response) => {
    answer = () => response.end('done');
    started.resolve();
  });
  const agent = new Agent({ keepAlive: true });
  const inFlight = call(port, agent);
  await started.promise;
  const closed = closeServer(server, 60_000);
  await expect(call(port)).rejects.toThrow();
  answer();
  await expect(inFlight).resolves.toBe('done');
  await expect(closed).resolves.toBe('clean');
  agent.destroy();
});

test('a call that does not finish in the grace time is cut', async () => {
  const started = Promise.withResolvers<void>();
  const { server, port } = await serving(() => started.resolve());
  const inFlight = call(port);
  inFlight.catch(() => undefined);
  await started.promise;
  await expect(closeServer(server, 20)).resolves.toBe('forced');
  await expect(inFlight).rejects.toThrow();
});
