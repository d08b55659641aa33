export type RateLimit = { readonly limit: number; readonly windowMs: number };

export type RateDecision = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the whole limit is free again. */
  readonly resetMs: number;
  /** Zero when allowed. */
  readonly retryAfterMs: number;
};

export interface RateLimitStore {
  /** Counts one call of the subject (a key and a model), unless it is over the limit: a refused call is not counted. */
  take(subject: string, limit: RateLimit): Promise<RateDecision>;
}

const US_PER_MS = 1_000;

/** Microseconds that one call occupies, and how far ahead of now calls may be booked. */
export function pacing({ limit, windowMs }: RateLimit): { step: number; window: number } {
  const step = Math.max(1, Math.floor((windowMs * US_PER_MS) / limit));
  return { step, window: step * limit };
}

/**
 * The generic cell rate algorithm: `freeAt` is the moment at which everything booked so far is used up. A call is allowed when booking it
 * does not reach further ahead than the window. `freeAt` includes this call when it was allowed.
 */
export function decide(allowed: boolean, freeAt: number, now: number, rate: RateLimit): RateDecision {
  const { step, window } = pacing(rate);
  const booked = Math.max(0, freeAt - now);
  return {
    allowed,
    limit: rate.limit,
    remaining: allowed ? Math.max(0, Math.floor((window - booked) / step)) : 0,
    resetMs: Math.ceil(booked / US_PER_MS),
    retryAfterMs: allowed ? 0 : Math.max(1, Math.ceil((booked + step - window) / US_PER_MS)),
  };
}
