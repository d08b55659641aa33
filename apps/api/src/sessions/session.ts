import type { FrameErrorReply, FrameReply } from '@assay/contract';
import type { Caller } from '../access/keys/api-key.js';
import type { FrameAnswer, KeptContext } from '../answering/kept/kept-context.js';
import { Refusal } from '../http/refusal.js';
import { shownScores } from '../safety/category.js';
import type { EndReason } from './ending.js';
import type { Payment } from './store/session-store.js';
import { LatestWins } from './stream/latest-wins.js';
import type { FrameReader, ReadyFrame } from './stream/message.js';

export interface SessionParts {
  readonly id: string;
  readonly caller: Caller;
  readonly expiresAt: Date;
  readonly window: number;
  readonly context: KeptContext;
  /** Takes the price of the frame with this number, the first being 1. */
  pay(frame: number, tokens: number): Promise<Payment>;
  /** Called once, when nothing of the session is under way any more. */
  ended(session: Session, reason: EndReason): Promise<void>;
  errorOf(error: unknown): FrameErrorReply['error'];
}

/** The socket's side of a session. */
export interface Outlet {
  send(reply: FrameReply | FrameErrorReply): void;
  close(reason: EndReason): void;
}

/** The session was ended while a frame was in work, here or by another process: there is nothing to tell. */
class SessionOver extends Error {}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** One open session: what it keeps loaded, the frame in work, and its end. */
export class Session {
  readonly id: string;
  private readonly over = new AbortController();
  private readonly frames: LatestWins<ReadyFrame>;
  private outlet: Outlet | undefined;
  private answered = 0;
  private ending: Promise<void> | undefined;

  constructor(readonly parts: SessionParts) {
    this.id = parts.id;
    this.frames = new LatestWins((frame, passedOver) => this.answer(frame, passedOver));
  }

  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  get reader(): FrameReader {
    return this.parts.context;
  }

  /** Passed-over frames that no reply has told. */
  get untold(): number {
    return this.frames.untold;
  }

  get isAttached(): boolean {
    return this.outlet !== undefined;
  }

  /** A session has one socket in its life. */
  attach(outlet: Outlet): void {
    this.outlet = outlet;
  }

  take(frame: ReadyFrame): void {
    if (!this.hasEnded) this.frames.offer(frame);
  }

  refuse(seq: number, error: unknown): void {
    if (!this.hasEnded) this.outlet?.send({ seq, error: this.parts.errorOf(error) });
  }

  /** Ends it once; later reasons change nothing. The frame in work is dropped, unless there is `grace` for it. */
  end(reason: EndReason, grace = false): Promise<void> {
    this.ending ??= this.finish(reason, grace);
    return this.ending;
  }

  /** Gives up the frame in work, when a grace is over. */
  abandon(): void {
    this.over.abort(new SessionOver());
  }

  private async finish(reason: EndReason, grace: boolean): Promise<void> {
    if (!grace) this.abandon();
    await this.frames.stop();
    this.over.abort(new SessionOver());
    this.parts.context.close();
    // The close code tells the caller of the end, so it is on record by then.
    await this.parts.ended(this, reason);
    this.outlet?.close(reason);
  }

  private async answer(frame: ReadyFrame, passedOver: readonly number[]): Promise<boolean> {
    const { seq } = frame;
    try {
      const given = await this.decide(frame);
      this.outlet?.send({
        seq,
        answers: given.answers,
        latency_ms: tenths(performance.now() - frame.receivedAt),
        ...(given.safety && { safety: shownScores(given.safety) }),
        skipped: [...passedOver],
        usage: { input_tokens: given.inputTokens, output_tokens: 0 },
        ...(given.evidence && { evidence: given.evidence }),
      });
      return true;
    } catch (error) {
      if (error instanceof SessionOver) void this.end('deleted');
      if (!this.over.signal.aborted) this.outlet?.send({ seq, error: this.parts.errorOf(error) });
      if (isOutOfCredit(error)) void this.end('key_refused');
      return false;
    }
  }

  private decide(frame: ReadyFrame): Promise<FrameAnswer> {
    const { context, caller, id } = this.parts;
    const { signal } = this.over;
    const identity = { requestId: `${id}/${this.answered + 1}`, keyId: caller.key.id };
    return context.answer(frame, { signal, identity, workspace: caller.workspace }, async ({ inputTokens }) => {
      signal.throwIfAborted();
      // The reply goes out only when its price was taken.
      const payment = await this.parts.pay(this.answered + 1, inputTokens);
      if (payment === 'insufficient_credit') throw new Refusal('insufficient_credit');
      if (payment === 'ended') {
        this.abandon();
        throw new SessionOver();
      }
      this.answered += 1;
    });
  }
}

const isOutOfCredit = (error: unknown): boolean => error instanceof Refusal && error.type === 'insufficient_credit';
