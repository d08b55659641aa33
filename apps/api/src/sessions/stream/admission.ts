import type { IncomingMessage } from 'node:http';
import { validators } from '@assay/contract';
import { Inject, Injectable } from '@nestjs/common';
import { Authenticator } from '../../access/authenticator.js';
import { Refusal } from '../../http/refusal.js';
import type { Session } from '../session.js';
import { SessionKeeper } from '../session-keeper.js';

const PATH = /^\/v1\/sessions\/([^/?]+)\/stream(?:\?|$)/;
const BEARER = /^Bearer +(\S+) *$/i;

/** Only a WebSocket upgrade of a stream's path is one: every other request is answered like a call that asks for no upgrade. */
export const isStreamUpgrade = ({ url = '', method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && PATH.test(url);

/** Who may open a socket, and on which session; checked in the order of the contract. */
@Injectable()
export class StreamAdmission {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    private readonly keeper: SessionKeeper,
  ) {}

  async admit({ url = '', headers }: IncomingMessage): Promise<Session> {
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    const caller = token === undefined ? undefined : await this.authenticator.authenticate(token);
    if (!caller) throw new Refusal('authentication_error');
    if (caller.workspace.suspended) throw new Refusal('workspace_suspended');
    const id = PATH.exec(url)?.[1] ?? '';
    if (!validators.zSessionId.safeParse(id).success) throw new Refusal('not_found_error');
    const here = this.keeper.sessions.find(id, caller.key.id);
    if (here && !here.hasEnded) return this.unlessStopping(here);
    const known = await this.keeper.find(id, caller.key.id);
    if (!known) throw new Refusal('not_found_error', { message: 'No session with this id for this key.' });
    if (known.reason !== null || known.holder === this.keeper.holder) throw new Refusal('session_ended');
    throw new Refusal('overloaded_error', {
      message: 'Another process holds this session: connect to its stream_url.',
    });
  }

  private unlessStopping(session: Session): Session {
    if (this.keeper.isStopping)
      throw new Refusal('overloaded_error', { message: 'This process is shutting down: open the session again.' });
    return session;
  }
}
