import type { FrameErrorReply, FrameReply } from '@assay/contract';
import { stringify } from '@assay/contract';
import type { RawData, WebSocket } from 'ws';
import { CLOSES, type EndReason } from '../ending.js';
import type { Outlet, Session } from '../session.js';
import type { StreamLimits } from '../session-limits.js';
import { readMessage } from './message.js';

/** Said by the WebSocket library when a peer breaks the protocol; it has sent the close frame by then. */
const isProtocolError = (error: Error): boolean => 'code' in error && String(error.code).startsWith('WS_ERR_');

/** One socket of one session, within its limits: whatever a peer does or fails to do, what is held for it stays bounded. */
export class Stream implements Outlet {
  private heard = true;
  private readonly pulse: NodeJS.Timeout;

  constructor(
    private readonly socket: WebSocket,
    private readonly session: Session,
    private readonly limits: StreamLimits,
    private readonly checked: (reply: FrameReply | FrameErrorReply) => FrameReply | FrameErrorReply,
  ) {
    this.pulse = setInterval(() => this.ping(), limits.pingMs);
    this.pulse.unref();
    socket.on('message', (data, isBinary) => this.take(data, isBinary));
    socket.on('pong', () => {
      this.heard = true;
    });
    socket.on('error', (error) => void session.end(isProtocolError(error) ? 'protocol_error' : 'client_closed'));
    socket.on('close', () => {
      clearInterval(this.pulse);
      void session.end('client_closed');
    });
  }

  send(reply: FrameReply | FrameErrorReply): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > this.limits.unreadBytes) return void this.session.end('client_too_slow');
    this.socket.send(stringify(this.checked(reply)), () => undefined);
    if (this.socket.isPaused && this.session.untold < this.limits.untoldFrames) this.socket.resume();
  }

  close(reason: EndReason): void {
    const { code, text } = CLOSES[reason];
    this.socket.resume();
    this.socket.close(code, text);
  }

  private take(data: RawData, isBinary: boolean): void {
    if (this.session.hasEnded) return;
    const message = isBinary ? ({ kind: 'garbage' } as const) : readMessage(data as Buffer, this.session.reader);
    if (message.kind === 'garbage') void this.session.end('protocol_error');
    if (message.kind === 'refused') this.session.refuse(message.seq, message.error);
    if (message.kind === 'frame') this.session.take(message.frame);
    if (this.session.untold >= this.limits.untoldFrames) this.socket.pause();
  }

  private ping(): void {
    if (!this.heard) this.socket.terminate();
    // Nothing is heard from a peer that is not read for its own flood.
    this.heard = this.socket.isPaused;
    this.socket.ping(() => undefined);
  }
}
