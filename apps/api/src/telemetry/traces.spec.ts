import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endRequestSpan, startTraces, traceRequest, traceStep } from './traces.js';

test("spans reach the collector, below the caller's own trace", async () => {
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  const traces = await startTraces(`http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`);

  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  await new Promise<void>((done) => {
    traceRequest({ traceparent: `00-${trace}-00f067aa0ba902b7-01` }, 'POST', (span) => {
      void traceStep('charge', async () => undefined).then(() => {
        endRequestSpan(span, 'decide', 200);
        done();
      });
    });
  });
  await traces.stop();
  collector.close();
  await once(collector, 'close');

  const spans = bodies.flatMap((body) =>
    (
      JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: { name: string; traceId: string }[] }[] }[] }
    ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  expect(spans.map(({ name }) => name).sort()).toEqual(['charge', 'decide']);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
});

test('without a collector a span is nothing, and steps still run', async () => {
  const traces = await startTraces(undefined);
  await expect(traceStep('read', async () => 7)).resolves.toBe(7);
  await expect(traceStep('read', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  await traces.stop();
});
