import type { EngineEvent } from '@assay/inference';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

const MILLISECONDS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000];

/** Counts what the engine tells: one event at each of its decisions. */
export class EngineMetrics {
  /** When it last finished a step of work, by the clock of `performance.now()`. */
  lastStepAt = Number.NEGATIVE_INFINITY;
  private readonly queuedTokens: Gauge<never>;
  private readonly refused: Counter<'priority' | 'reason'>;
  private readonly steps: Histogram<'priority' | 'work'>;
  private readonly waits: Histogram<'priority'>;
  private readonly aborted: Counter<'priority'>;
  private readonly evicted: Counter<never>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.queuedTokens = new Gauge({
      name: 'assay_engine_queued_tokens',
      help: 'Tokens admitted and not finished, at the last admission',
      registers,
    });
    this.refused = new Counter({
      name: 'assay_engine_refused_total',
      help: 'Work refused for lack of room',
      labelNames: ['priority', 'reason'],
      registers,
    });
    this.steps = new Histogram({
      name: 'assay_engine_step_milliseconds',
      help: 'Time of one step of model work',
      labelNames: ['priority', 'work'],
      buckets: MILLISECONDS,
      registers,
    });
    this.waits = new Histogram({
      name: 'assay_engine_wait_milliseconds',
      help: 'Time a step waited for its turn',
      labelNames: ['priority'],
      buckets: MILLISECONDS,
      registers,
    });
    this.aborted = new Counter({
      name: 'assay_engine_aborted_total',
      help: 'Work dropped because its caller had left',
      labelNames: ['priority'],
      registers,
    });
    this.evicted = new Counter({
      name: 'assay_engine_evicted_bytes_total',
      help: 'Bytes of resting contexts dropped',
      registers,
    });
  }

  readonly count = (event: EngineEvent): void => {
    if (event.kind === 'admitted') this.queuedTokens.set(event.queuedTokens);
    if (event.kind === 'refused') this.refused.inc({ priority: event.priority, reason: event.reason });
    if (event.kind === 'evicted') this.evicted.inc(event.bytes);
    if (event.kind === 'finished' && event.aborted) this.aborted.inc({ priority: event.priority });
    if (event.kind !== 'step') return;
    this.lastStepAt = performance.now();
    this.waits.observe({ priority: event.priority }, event.waited);
    this.steps.observe({ priority: event.priority, work: event.work }, event.ms);
  };
}
