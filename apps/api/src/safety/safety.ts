import type { Engine } from '@assay/inference';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/load.js';
import { Refusal } from '../http/refusal.js';
import { LOG, type Log } from '../telemetry/log.js';
import type { CheckedRequest } from './asked.js';
import { type RequestIdentity, refusalMessage, SafetyCheck, type SafetyVerdict } from './check.js';
import type { FittedSafety } from './fitted.js';
import { FittedScorer } from './fitted-scorer.js';
import { isReadable } from './reading.js';
import type { SafetyScorer, ScoringOptions } from './scorer.js';
import { StatementScorer } from './statement-scorer.js';

/** Nest's token for what the safety check of each bundle was fitted to. */
export const FITTED_SAFETY = Symbol('fitted safety');

/** The check that every decision passes, whichever way it was sent. */
@Injectable()
export class Safety {
  private readonly verdicts: SafetyCheck;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(LOG) log: Log,
    @Inject(FITTED_SAFETY) private readonly fits: ReadonlyMap<string, FittedSafety>,
  ) {
    this.verdicts = new SafetyCheck(config.ASSAY_SAFETY, log);
  }

  /** Throws the refusal of a request that must not be answered. */
  async check(
    engine: Engine,
    request: CheckedRequest,
    identity: RequestIdentity,
    options: ScoringOptions,
  ): Promise<SafetyVerdict> {
    const { id } = engine.model;
    const verdict = await this.verdicts.check(this.scorer(engine), request, { ...identity, model: id }, options);
    if (verdict.refused === undefined) return verdict;
    throw new Refusal('safety_refusal', { message: refusalMessage(verdict.refused), headers: verdict.headers });
  }

  private scorer(engine: Engine): SafetyScorer {
    const fitted = this.fits.get(engine.model.id);
    return fitted && isReadable(engine) ? new FittedScorer(engine, fitted) : new StatementScorer(engine);
  }
}
