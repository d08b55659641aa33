import type { AnyDetail, FrameError } from '@assay/contract';
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '../http/refusal.js';
import { renderError } from '../http/rendered-error.js';
import { isDatabaseOutage } from '../storage/database/outage.js';
import { faultFields, LOG, type Log } from '../telemetry/log.js';

/** What goes wrong outside of an HTTP call: told in the contract's words where a caller is listening, and logged where it is our fault. */
@Injectable()
export class SessionFaults {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /** Status and detail of the live call's refusal. */
  asFrameError(error: unknown): FrameError {
    const known = renderError(isDatabaseOutage(error) ? new Refusal('overloaded_error') : error);
    if (!known) this.note(error);
    const rendered = known ?? renderError(new Refusal('api_error'));
    if (!rendered) throw new Error('The error table has no api_error');
    return { status: rendered.status, detail: rendered.body.detail as AnyDetail };
  }

  readonly note = (error: unknown): void => {
    if (isDatabaseOutage(error)) this.log.warn('sessions wait for the database');
    else this.log.error(faultFields(error), 'fault in a session');
  };
}
