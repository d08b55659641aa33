import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What is counted. One instance per service, so that two services in one process do not mix. */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['operation', 'status'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly inFlight = new Gauge({
    name: 'assay_http_requests_in_flight',
    help: 'Requests being answered now',
    registers: [this.registry],
  });

  readonly inputTokens = new Counter({
    name: 'assay_input_tokens_total',
    help: 'Input tokens of answered calls, as billed',
    labelNames: ['model', 'way'] as const,
    registers: [this.registry],
  });

  readonly memory = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of this process',
    registers: [this.registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}
