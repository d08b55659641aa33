import { type Batch, parse, stringify } from '@assay/contract';
import type { DataSource } from 'typeorm';
import { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import { line, lines } from './caller.js';
import { inconsistencies } from './consistency.js';
import type { Fleet } from './fleet.js';
import { PersistentCaller } from './persistent-caller.js';
import { mixedBodies, seeded } from './requests.js';

export interface CampaignOptions {
  readonly fleet: Fleet;
  readonly processes: number;
  readonly key: string;
  readonly model: string;
  /** The database that the fleet works on. */
  readonly source: DataSource;
  readonly lines: number;
  readonly kills: number;
  readonly seed: number;
}

export interface CampaignFigures {
  readonly kills: number;
  readonly batches: number;
  readonly lines: number;
  readonly lostAnswers: number;
  readonly claimedAgain: number;
  readonly completed: number;
  readonly cancelled: number;
  readonly expired: number;
  /** What must not be: each is a sentence about one fault. */
  readonly faults: readonly string[];
}

interface Live {
  readonly status: number;
  readonly text: string;
}

/** A life is as long as some starts at most: a slow machine then gets as far in one as a quick one. */
const LONGEST_LIFE_IN_STARTS = 3;
const LONGEST_LIFE_MS = 2_500;
const LIVE_CALLS = 8;
/** Bodies of a campaign; more lines than that take them in turns. */
const DIFFERENT = 240;
/** Batches that end in each of the ways, one after another, until there were enough kills. */
const ENDS = ['completed', 'cancelled', 'completed', 'expired'] as const;

/** Sends batches while their processes are killed at random moments, and says what came out wrong. */
export class KillCampaign {
  private readonly random: () => number;
  private readonly caller: PersistentCaller;
  private readonly faults: string[] = [];
  private readonly totals = { batches: 0, lines: 0, completed: 0, cancelled: 0, expired: 0 };
  private kills = 0;
  private over = false;

  constructor(private readonly options: CampaignOptions) {
    this.random = seeded(options.seed);
    this.caller = new PersistentCaller(options.fleet, options.key);
  }

  async run(): Promise<CampaignFigures> {
    const different = mixedBodies(Math.min(this.options.lines, DIFFERENT), this.options.model, this.options.seed);
    const answers = await this.liveAnswers(different);
    const bodies = Array.from({ length: this.options.lines }, (_, at) => different[at % different.length]);
    const live = bodies.map((_, at) => answers[at % answers.length]!);
    await Promise.all([this.killAtRandom(), this.sendBatches(bodies, live)]);
    return this.figures();
  }

  private async sendBatches(bodies: readonly unknown[], live: readonly Live[]): Promise<void> {
    for (let turn = 0; this.kills < this.options.kills || turn < ENDS.length; turn += 1)
      await this.batch(ENDS[turn % ENDS.length]!, bodies, live);
    this.over = true;
  }

  private async liveAnswers(bodies: readonly unknown[]): Promise<Live[]> {
    const caller = this.options.fleet.caller(this.options.key, 0)!;
    const answers: Live[] = [];
    const waiting = bodies.keys();
    const ask = async () => {
      for (const at of waiting) {
        const { status, text } = await caller.decide(bodies[at]);
        answers[at] = { status, text };
      }
    };
    await Promise.all(Array.from({ length: LIVE_CALLS }, ask));
    return answers;
  }

  private async killAtRandom(): Promise<void> {
    let longest = LONGEST_LIFE_MS;
    while (!this.over && this.kills < this.options.kills) {
      await new Promise((resolve) => setTimeout(resolve, this.random() * longest));
      const victim = Math.floor(this.random() * this.options.processes);
      await this.options.fleet.kill(victim);
      this.kills += 1;
      const began = performance.now();
      await this.options.fleet.start(victim);
      longest = Math.max(LONGEST_LIFE_MS, LONGEST_LIFE_IN_STARTS * (performance.now() - began));
    }
  }

  private async batch(end: Batch['state'], bodies: readonly unknown[], live: readonly Live[]): Promise<void> {
    const ids = bodies.map((_, at) => `line-${at}`);
    const uploaded = bodies.map((body, at) => line(ids[at]!, body));
    const id = await this.caller.create(lines(...uploaded.slice(0, uploaded.length / 2)));
    const step = Math.max(1, Math.ceil(uploaded.length / 10));
    for (let from = Math.floor(uploaded.length / 2); from < uploaded.length; from += step) {
      const part = uploaded.slice(from, from + step);
      await this.caller.add(id, lines(...part), from + part.length);
    }
    await this.caller.finalize(id);
    if (end !== 'completed') await this.untilSome(id, bodies.length);
    if (end === 'cancelled') await this.caller.cancel(id);
    if (end === 'expired')
      await this.options.source.query('UPDATE batches SET expires_at = now() WHERE id = $1 AND ended_at IS NULL', [id]);
    const ended = await this.caller.ended(id);
    await this.judge(ended, end, ids, live);
  }

  /** Until a part of the lines is done, so that an end comes in the middle. */
  private async untilSome(id: string, all: number): Promise<void> {
    const wanted = all * (0.1 + this.random() * 0.5);
    for (;;) {
      const { counters, ended_at } = await this.caller.get(id);
      if (ended_at !== null || counters.completed + counters.failed >= wanted) return;
    }
  }

  private async judge(batch: Batch, end: Batch['state'], ids: readonly string[], live: readonly Live[]): Promise<void> {
    const fault = (what: string) => this.faults.push(`${batch.id} (${end}): ${what}`);
    if (batch.state !== end && batch.state !== 'completed') fault(`ended as ${batch.state}`);
    const { text } = await this.caller.until((caller) => caller.results(batch.id));
    const results = text
      .trimEnd()
      .split('\n')
      .map((each) => parse(each) as { custom_id: string; status: unknown; body: unknown });
    if (stringify(results.map((result) => result.custom_id)) !== stringify(ids))
      fault('lines are missing, doubled or out of order');
    const count = { completed: 0, failed: 0, expired: 0, cancelled: 0 };
    for (const [at, result] of results.entries()) {
      if (result.status === 'expired' || result.status === 'cancelled') {
        count[result.status] += 1;
        continue;
      }
      count[result.status === 200 ? 'completed' : 'failed'] += 1;
      const expected = live[at]!;
      if (result.status !== expected.status || stringify(result.body) !== expected.text)
        fault(`line ${at} is ${result.status} ${stringify(result.body)}, live ${expected.status} ${expected.text}`);
    }
    const counted = { ...batch.counters, ...count, requests: ids.length, queued: 0, in_progress: 0 };
    if (stringify(counted) !== stringify(batch.counters))
      fault(`counters ${stringify(batch.counters)} of ${stringify(count)}`);
    this.totals.batches += 1;
    this.totals.lines += results.length;
    this.totals.completed += count.completed;
    this.totals.cancelled += count.cancelled;
    this.totals.expired += count.expired;
  }

  private async figures(): Promise<CampaignFigures> {
    const { source } = this.options;
    for (const each of this.caller.torn) this.faults.push(`${each.id}: counters ${stringify(each.counters)}`);
    for (const each of await inconsistencies(source))
      this.faults.push(`${each.id}: kept ${each.kept}, found ${each.found}`);
    for (const each of await new PostgresCreditStore(source).verify()) this.faults.push(`ledger: ${each.problem}`);
    const [again] = await source.query('SELECT count(*)::int AS lines FROM batch_requests WHERE attempts > 1');
    const { kills, caller, faults, totals } = this;
    return { kills, ...totals, lostAnswers: caller.lostAnswers, claimedAgain: again.lines, faults };
  }
}
