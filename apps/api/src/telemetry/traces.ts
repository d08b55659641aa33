import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const tracer = () => trace.getTracer('assay');

/** Sends traces to an OTLP/HTTP address; without one, every span below is a no-op and the SDK is never loaded. */
export async function startTraces(endpoint: string | undefined): Promise<{ stop(): Promise<void> }> {
  if (!endpoint) return { stop: async () => undefined };
  const [sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const provider: NodeTracerProvider = new sdk.NodeTracerProvider({
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }))],
  });
  provider.register();
  return { stop: () => provider.shutdown() };
}

/** Opens the span of one request, below the caller's own trace when it sent one, and runs the rest inside it. */
export function traceRequest(headers: NodeJS.Dict<string | string[]>, method: string, run: (span: Span) => void): void {
  const parent = propagation.extract(context.active(), headers);
  const span = tracer().startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parent,
  );
  context.with(trace.setSpan(parent, span), () => run(span));
}

export function endRequestSpan(span: Span, operation: string, status: number): void {
  span.updateName(operation);
  span.setAttributes({ 'assay.operation': operation, 'http.response.status_code': status });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** A step of a request (reading, asking, charging) as a child span. */
export async function traceStep<T>(name: string, step: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, async (span) => {
    try {
      return await step();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
