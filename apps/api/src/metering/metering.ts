import { operationTable } from '@assay/contract';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/load.js';
import type { Call } from '../http/call.js';
import { Refusal } from '../http/refusal.js';
import { CreditHolds, type Hold } from './credit/credit-holds.js';
import type { ChargeKind, CreditStore } from './credit/ledger-entry.js';
import { amountNano, pricePerTokenNano, type Tariff } from './credit/price.js';
import type { RateDecision, RateLimitStore } from './rate-limits/rate-limit.js';

export const CREDIT = Symbol('credit');
export const RATE_LIMITS = Symbol('rate limits');

const MINUTE_MS = 60_000;

/** What is paid for: tokens of a model, at its price. */
export interface Work {
  model: string;
  inputUsdPerMillionTokens: number;
  tokens: number;
  kind: ChargeKind;
  tariff: Tariff;
}

/** The questions money and rates ask of every call: may it run, and what did it cost. */
@Injectable()
export class Metering {
  private readonly holds = new CreditHolds();

  constructor(
    @Inject(CREDIT) private readonly credit: CreditStore,
    @Inject(RATE_LIMITS) private readonly rates: RateLimitStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_REQUESTS_PER_MINUTE'>,
  ) {}

  /**
   * Called by every operation once the request is known to be right and before any work: no credit is a 402, over the rate is a 429.
   * A refused call is not counted. Where calls are counted per model, the model is the pinned version.
   */
  async admit(call: Admitted, model?: string): Promise<void> {
    const { errors } = operationTable[call.operation];
    const { workspace } = call.caller;
    const broke = workspace.billing === 'prepaid' && workspace.balanceNano <= 0n;
    if (broke && errors.includes('insufficient_credit')) throw new Refusal('insufficient_credit');
    await this.count(call, model);
  }

  /** The part of `admit` for a call that costs nothing, such as one that gets its first answer again. */
  async count({ operation, caller, context }: Admitted, model?: string): Promise<void> {
    const { rateLimit } = operationTable[operation];
    const subject = rateLimit === 'model' ? `${caller.key.id} ${model}` : caller.key.id;
    const decision = await this.rates.take(subject, {
      limit: this.config.ASSAY_REQUESTS_PER_MINUTE,
      windowMs: MINUTE_MS,
    });
    for (const [name, value] of Object.entries(rateHeaders(decision))) context.setHeader(name, value);
    if (!decision.allowed)
      throw new Refusal('rate_limit_error', {
        message: `More than ${decision.limit} calls in a minute.`,
        retryAfterMs: decision.retryAfterMs,
      });
    context.admitted = true;
  }

  /** Sets aside what work will cost, so that none is begun that cannot be paid. To be released when it is done, before its charge. */
  hold({ caller }: Pick<Call, 'caller'>, work: Priced): Hold {
    const hold = this.holds.hold(caller.workspace, costOf(work));
    if (!hold) throw new Refusal('insufficient_credit');
    return hold;
  }

  /** Takes the price of answered work; without enough credit nothing is taken, and the answer must not be given. */
  async charge({ caller, context }: Pick<Call, 'caller' | 'context'>, work: Work): Promise<void> {
    const outcome = await this.credit.charge({
      workspaceId: caller.workspace.id,
      keyId: caller.key.id,
      model: work.model,
      kind: work.kind,
      tokens: work.tokens,
      amountNano: costOf(work),
      reference: context.id,
    });
    if (outcome === 'insufficient_credit') throw new Refusal('insufficient_credit');
  }
}

type Admitted = Pick<Call, 'operation' | 'caller' | 'context'>;

type Priced = Pick<Work, 'inputUsdPerMillionTokens' | 'tokens' | 'tariff'>;

function costOf({ inputUsdPerMillionTokens, tokens, tariff }: Priced): bigint {
  return amountNano(tokens, pricePerTokenNano(inputUsdPerMillionTokens), tariff);
}

function rateHeaders({ limit, remaining, resetMs }: RateDecision): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1_000)),
  };
}
