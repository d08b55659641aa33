import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type FrameErrorReply, type FrameReply, validators } from '@assay/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type WebSocket, WebSocketServer } from 'ws';
import { CONFIG, type Config } from '../../config/load.js';
import { newRequestId } from '../../http/context.js';
import { Refusal } from '../../http/refusal.js';
import { LOG, type Log } from '../../telemetry/log.js';
import { SessionFaults } from '../faults.js';
import type { Session } from '../session.js';
import { STREAM_LIMITS_TOKEN, type StreamLimits } from '../session-limits.js';
import { isStreamUpgrade, StreamAdmission } from './admission.js';
import { refuseUpgrade, renderUpgradeError } from './refused-upgrade.js';
import { Stream } from './stream.js';

const SWITCHING = 101;

/** Takes the upgrades of the HTTP server that are for streams: refused with a whole HTTP response, or joined with their session. */
@Injectable()
export class StreamServer implements OnApplicationBootstrap {
  private readonly sockets: WebSocketServer;
  private readonly requestIds = new WeakMap<IncomingMessage, string>();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly admission: StreamAdmission,
    private readonly faults: SessionFaults,
    @Inject(STREAM_LIMITS_TOKEN) private readonly limits: StreamLimits,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_CHECK_RESPONSES'>,
    @Inject(LOG) private readonly log: Log,
  ) {
    const options = {
      noServer: true,
      clientTracking: false,
      maxPayload: limits.messageBytes,
      closeTimeout: limits.closeMs,
      // The strict parser says what is wrong with bytes that are no text.
      skipUTF8Validation: true,
    };
    this.sockets = new WebSocketServer(options);
    this.sockets.on('headers', (headers, request) => headers.push(`x-request-id: ${this.idOf(request)}`));
    this.sockets.on('wsClientError', (_error, socket, request) =>
      this.refuse(socket, request, new Refusal('api_usage_error', { message: 'This is no WebSocket handshake.' })),
    );
  }

  onApplicationBootstrap(): void {
    const server: Server = this.host.httpAdapter.getHttpServer();
    // Whatever else asks for an upgrade is answered like a call that asks for none.
    Object.assign(server, { shouldUpgradeCallback: isStreamUpgrade });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.upgrade(request, socket, head);
    });
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const hungUp = () => socket.destroy();
    socket.on('error', hungUp);
    try {
      const session = await this.admission.admit(request);
      // From here to the accepted socket nothing else can run, so of two sockets only one finds the session free.
      if (session.hasEnded) throw new Refusal('session_ended');
      if (session.isAttached) throw new Refusal('stream_in_use');
      socket.off('error', hungUp);
      this.sockets.handleUpgrade(request, socket, head, (accepted) => this.join(accepted, session, request));
    } catch (error) {
      this.refuse(socket, request, error);
    }
  }

  private join(socket: WebSocket, session: Session, request: IncomingMessage): void {
    session.attach(new Stream(socket, session, this.limits, (reply) => this.checked(reply)));
    this.note(request, SWITCHING, { key: session.parts.caller.key.id });
  }

  private refuse(socket: Duplex, request: IncomingMessage, error: unknown): void {
    const rendered = renderUpgradeError(error);
    if (rendered.fault) this.faults.note(error);
    this.note(request, rendered.status, { error_type: rendered.errorType });
    refuseUpgrade(socket, this.idOf(request), rendered);
  }

  /** In place of a reply against the contract, where replies are checked, the client gets a fault. */
  private checked(reply: FrameReply | FrameErrorReply): FrameReply | FrameErrorReply {
    if (this.config.ASSAY_CHECK_RESPONSES !== 'on') return reply;
    const schema = 'error' in reply ? validators.zFrameErrorReply : validators.zFrameReply;
    const problems = schema.safeParse(reply).error?.issues ?? [];
    if (problems.length === 0) return reply;
    const where = problems.map(({ path, code }) => `${path.join('.')} ${code}`);
    return { seq: reply.seq, error: this.faults.asFrameError(new Error(`against the contract: ${where.join(', ')}`)) };
  }

  private idOf(request: IncomingMessage): string {
    const known = this.requestIds.get(request) ?? newRequestId();
    this.requestIds.set(request, known);
    return known;
  }

  private note(request: IncomingMessage, status: number, facts: Record<string, string>): void {
    this.log.info({ request_id: this.idOf(request), method: 'GET', status, ...facts, operation: 'stream' }, 'upgrade');
  }
}
