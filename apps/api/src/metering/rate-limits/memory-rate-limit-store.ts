import { decide, pacing, type RateDecision, type RateLimit, type RateLimitStore } from './rate-limit.js';

const SUBJECTS_BEFORE_SWEEP = 10_000;

/** For one process: nothing is asked of the database, and a restart forgives at most one window. */
export class MemoryRateLimitStore implements RateLimitStore {
  private readonly freeAt = new Map<string, number>();
  private sweepAt = SUBJECTS_BEFORE_SWEEP;

  constructor(private readonly nowUs: () => number = () => Date.now() * 1_000) {}

  async take(subject: string, limit: RateLimit): Promise<RateDecision> {
    const now = this.nowUs();
    const { step, window } = pacing(limit);
    const booked = Math.max(this.freeAt.get(subject) ?? 0, now);
    const allowed = booked + step - now <= window;
    if (allowed) this.freeAt.set(subject, booked + step);
    if (this.freeAt.size > this.sweepAt) this.sweep(now);
    return decide(allowed, allowed ? booked + step : booked, now, limit);
  }

  private sweep(now: number): void {
    for (const [subject, freeAt] of this.freeAt) if (freeAt <= now) this.freeAt.delete(subject);
    this.sweepAt = Math.max(SUBJECTS_BEFORE_SWEEP, this.freeAt.size * 2);
  }
}
