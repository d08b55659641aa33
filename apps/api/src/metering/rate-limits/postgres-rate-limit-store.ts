import type { DataSource } from 'typeorm';
import { decide, pacing, type RateDecision, type RateLimit, type RateLimitStore } from './rate-limit.js';

/** The database's clock counts, so that machines whose clocks differ agree. In the conflict, `excluded.free_at_us - $2` is now. */
const TAKE = `
  WITH clock AS MATERIALIZED (
    SELECT coalesce($4::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now_us
  ), taken AS (
    INSERT INTO rate_limits AS booked (subject, free_at_us)
    SELECT $1, now_us + $2::bigint FROM clock
    ON CONFLICT (subject) DO UPDATE
      SET free_at_us = greatest(booked.free_at_us, excluded.free_at_us - $2::bigint) + $2::bigint
      WHERE greatest(booked.free_at_us - excluded.free_at_us + $2::bigint, 0) + $2::bigint <= $3::bigint
    RETURNING free_at_us
  )
  SELECT now_us::text AS now, (SELECT free_at_us FROM taken)::text AS taken,
    (SELECT free_at_us FROM rate_limits WHERE subject = $1)::text AS before
  FROM clock`;

/** Subjects whose limit is wholly free again. */
const FORGET_IDLE = 'DELETE FROM rate_limits WHERE free_at_us < (extract(epoch FROM now()) * 1000000)::bigint';

type Taken = { now: string; taken: string | null; before: string | null };

const CALLS_BETWEEN_SWEEPS = 10_000;

/** For several processes on one database: one statement counts and decides. The table is emptied by a crash, which forgives one window. */
export class PostgresRateLimitStore implements RateLimitStore {
  private calls = 0;

  constructor(
    private readonly source: DataSource,
    private readonly nowUs?: () => number,
    private readonly callsBetweenSweeps = CALLS_BETWEEN_SWEEPS,
  ) {}

  async take(subject: string, limit: RateLimit): Promise<RateDecision> {
    const { step, window } = pacing(limit);
    const [row] = await this.source.query<Taken[]>(TAKE, [subject, step, window, this.nowUs?.() ?? null]);
    this.calls += 1;
    if (this.calls % this.callsBetweenSweeps === 0) await this.source.query(FORGET_IDLE);
    return decide(row?.taken != null, Number(row?.taken ?? row?.before ?? 0), Number(row?.now), limit);
  }
}
