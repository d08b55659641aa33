import { Agent, request } from 'node:http';

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly perSecond: number;
  readonly latencies: readonly number[];
  readonly statuses: ReadonlyMap<number, number>;
}

export const send = (call: Call, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = request(call.url, { method: call.method, headers: call.headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });

/** Keeps `callers` calls in flight over as many kept-alive connections for a number of seconds. */
export async function load(call: Call, callers: number, seconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const started = performance.now();
  const end = started + seconds * 1000;
  const caller = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      const status = await send(call, agent);
      latencies.push(performance.now() - sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  return { perSecond: latencies.length / elapsed, latencies, statuses };
}
