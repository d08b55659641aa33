import type { WebSocket } from 'ws';
import { type AssayError, errorFrom } from '../errors.js';
import type {
  EndedSession,
  FrameContent,
  FrameErrorReply,
  FrameReply,
  ImageFrame,
  Session,
} from '../generated/types.gen.js';
import { SessionEndedError } from './ended.js';
import { ReplyQueue } from './reply-queue.js';

/**
 * `latest`: frames go out as they come, and the service answers the newest; those passed over are in `skipped` of its reply.
 * `every`: a frame goes out when the one before it has its reply, so every frame is answered.
 */
export type BackPressure = 'latest' | 'every';

/** The service did not answer this frame. The session goes on. */
export interface RefusedFrame {
  readonly seq: number;
  readonly error: AssayError;
}

export interface SendOptions {
  /** The frame's number; one more than the last when left out. */
  readonly seq?: number;
  /** Names of the questions to answer; all of them when left out. */
  readonly questions?: readonly string[];
  /** Forget the frames before this one. */
  readonly reset?: boolean;
}

/** Replies kept for a reader that is slow; over it the socket is not read, so that the service notices. */
const MOST_KEPT = 1_000;
/** The close codes of an end that this side asked for. */
const NORMAL = new Set([1000, 1005]);
const CONNECTION_LOST = 1006;

export interface SessionCalls {
  end(id: string): Promise<EndedSession>;
}

/** An open session: send frames, iterate over the replies, end it. */
export class SessionStream implements AsyncIterable<FrameReply | RefusedFrame>, AsyncDisposable {
  readonly id: string;
  private readonly replies = new ReplyQueue<FrameReply | RefusedFrame>((left) => {
    if (this.socket.isPaused && left < MOST_KEPT / 2) this.socket.resume();
  });
  private lastSeq = 0;
  private ending = false;
  private closed: SessionEndedError | undefined;
  /** With `every`: a frame waits for its reply, and others for their turn. */
  private inFlight = false;
  private readonly turns: (() => void)[] = [];

  constructor(
    private readonly socket: WebSocket,
    /** As the service opened it: model, window, limits, what the opening cost. */
    readonly session: Session,
    private readonly backPressure: BackPressure,
    private readonly calls: SessionCalls,
  ) {
    this.id = session.session_id;
    socket.on('message', (data: Buffer) =>
      this.take(JSON.parse(data.toString('utf8')) as FrameReply | FrameErrorReply),
    );
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.finish(code));
  }

  /**
   * Sends one frame and returns its number. It resolves when the connection has taken the frame (`latest`), or when the frame has had
   * its turn (`every`): a sender that waits for it is never further ahead than the service.
   */
  async send(frame: FrameContent | ImageFrame, options: SendOptions = {}): Promise<number> {
    if (this.backPressure === 'every') {
      if (this.inFlight) await new Promise<void>((resolve) => this.turns.push(resolve));
      this.inFlight = true;
    }
    return this.put(frame, options);
  }

  /** Ends the session and says what it came to; replies that have come are still given. */
  async end(): Promise<EndedSession> {
    this.ending = true;
    const ended = await this.calls.end(this.id);
    this.socket.close();
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.closed) await this.end();
  }

  /** The replies in the order they come. Ends when this side ended the session, throws a `SessionEndedError` on any other end. */
  [Symbol.asyncIterator](): AsyncIterator<FrameReply | RefusedFrame, undefined> {
    return this.replies;
  }

  private put(
    frame: FrameContent | ImageFrame,
    { seq = this.lastSeq + 1, questions, reset }: SendOptions,
  ): Promise<number> {
    if (this.closed) return Promise.reject(new SessionEndedError(this.id, this.closed.code));
    this.lastSeq = seq;
    const message = JSON.stringify({ seq, frame, ...(questions && { questions }), ...(reset && { reset }) });
    return new Promise((resolve, reject) => {
      this.socket.send(message, (error) => {
        if (!error) resolve(seq);
        else reject(new SessionEndedError(this.id, this.closed?.code ?? CONNECTION_LOST));
      });
    });
  }

  private take(reply: FrameReply | FrameErrorReply): void {
    if (!('error' in reply)) this.replies.push(reply);
    else {
      const { status, detail } = reply.error;
      this.replies.push({ seq: reply.seq, error: errorFrom(new Response(null, { status }), { detail }) });
    }
    if (this.replies.length >= MOST_KEPT) this.socket.pause();
    this.release();
  }

  private release(): void {
    const turn = this.turns.shift();
    if (turn) turn();
    else this.inFlight = false;
  }

  private finish(code: number): void {
    this.closed = new SessionEndedError(this.id, code);
    this.replies.finish(this.ending || NORMAL.has(code) ? undefined : this.closed);
    for (const turn of this.turns.splice(0)) turn();
  }
}
