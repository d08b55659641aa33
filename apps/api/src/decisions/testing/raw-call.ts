import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';

/** What comes back for a decide call whose declared body never arrives in full. */
export async function unfinished(url: string, key: string, declared: number, begun: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    if (received.includes('\r\n\r\n')) socket.end();
  });
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/decide HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${declared}\r\n\r\n${begun}`,
  );
  await once(socket, 'close');
  return received;
}

/** A decide call that has been sent, and that its caller can leave with `destroy`. */
export async function begun(url: string, key: string, body: string): Promise<ClientRequest> {
  const headers = { authorization: `Bearer ${key}` };
  const call = request(new URL('/v1/decide', url), { method: 'POST', headers, agent: false });
  call.on('error', () => undefined);
  call.end(body);
  await once(call, 'finish');
  return call;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error('it did not happen');
}

/** The sum of a metric over its labels, of which those given must be as given. */
export async function metric(url: string, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
