import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../access/keys/api-key.js';
import { type FixedRequest, KeptAnswering } from '../answering/kept/kept-answering.js';
import type { KeptContext } from '../answering/kept/kept-context.js';
import { CLOCK, type Clock } from '../clock.js';
import { CONFIG, type Config } from '../config/load.js';
import { Refusal } from '../http/refusal.js';
import type { Charge } from '../metering/credit/ledger-entry.js';
import { amountNano, pricePerTokenNano } from '../metering/credit/price.js';
import { Metrics } from '../telemetry/metrics.js';
import { SessionFaults } from './faults.js';
import { Session } from './session.js';
import { SessionKeeper } from './session-keeper.js';
import { SessionStore } from './store/session-store.js';

export interface Wanted {
  readonly caller: Caller;
  readonly window: number;
  readonly ttlSeconds: number;
  /** Fires when the caller has left: a session that nobody heard of is not kept. */
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;

/** From a request that is right to a session that is open, loaded and paid for. */
@Injectable()
export class Opening {
  constructor(
    private readonly answering: KeptAnswering,
    private readonly keeper: SessionKeeper,
    private readonly store: SessionStore,
    private readonly faults: SessionFaults,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_SESSIONS_PER_KEY'>,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  prepare(request: FixedRequest, window: number): KeptContext {
    return this.answering.prepare(request, window);
  }

  async open(context: KeptContext, wanted: Wanted): Promise<Session> {
    if (this.keeper.isStopping)
      throw new Refusal('overloaded_error', { message: 'This process is shutting down: open the session again.' });
    const id = `ses_${randomBytes(16).toString('hex')}`;
    return this.keeper.whileAlive(async () => {
      const session = this.session(id, context, wanted);
      await this.reserve(session);
      try {
        await context.load(wanted.signal);
        wanted.signal.throwIfAborted();
        const payment = await this.pay(session, 0, context.inputTokens);
        if (payment === 'insufficient_credit') throw new Refusal('insufficient_credit');
      } catch (error) {
        context.close();
        await this.store.forget(id).catch(this.faults.note);
        throw error;
      }
      this.keeper.sessions.add(session);
      if (this.keeper.isStopping) await session.end('server_shutdown');
      return session;
    });
  }

  private session(id: string, context: KeptContext, { caller, window, ttlSeconds }: Wanted): Session {
    const expiresAt = new Date(this.now().getTime() + ttlSeconds * 1_000);
    const session: Session = new Session({
      id,
      caller,
      window,
      context,
      expiresAt,
      pay: (frame, tokens) => this.pay(session, frame, tokens),
      ended: (each, reason) => this.keeper.ended(each, reason),
      errorOf: (error) => this.faults.asFrameError(error),
    });
    return session;
  }

  private async reserve({ id, parts }: Session): Promise<void> {
    const { key, workspace } = parts.caller;
    const most = this.config.ASSAY_SESSIONS_PER_KEY;
    const { holder } = this.keeper;
    const opened = await this.store.open(
      { id, workspaceId: workspace.id, keyId: key.id, holder, expiresAt: parts.expiresAt },
      most,
    );
    if (!opened)
      throw new Refusal('rate_limit_error', {
        message: `This key holds ${most} sessions, as many as it may: end one first.`,
        retryAfterMs: RETRY_MS,
      });
  }

  /** Frame 0 is the opening. */
  private async pay({ id, parts }: Session, frame: number, tokens: number) {
    const { caller, context } = parts;
    const { id: model, inputUsdPerMillionTokens } = context.model;
    const charge: Charge = {
      workspaceId: caller.workspace.id,
      keyId: caller.key.id,
      model,
      kind: frame === 0 ? 'session_open' : 'session_frame',
      tokens,
      amountNano: amountNano(tokens, pricePerTokenNano(inputUsdPerMillionTokens), 'live'),
      reference: frame === 0 ? id : `${id}/${frame}`,
    };
    const payment = await this.store.pay(id, frame === 0 ? 0 : 1, charge);
    if (payment === 'paid') this.metrics.inputTokens.inc({ model, way: 'session' }, tokens);
    return payment;
  }
}
