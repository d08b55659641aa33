import type { Calls } from '../generated/sdk.gen.js';
import type { SessionRequest } from '../generated/types.gen.js';
import { openSocket } from './open-socket.js';
import { type BackPressure, SessionStream } from './session-stream.js';

export interface SessionOptions {
  /** What happens when frames come faster than they are answered; `latest` when left out. */
  readonly backPressure?: BackPressure;
  /** Gives up opening. */
  readonly signal?: AbortSignal;
}

export interface SessionTransport {
  readonly apiKey: string;
  readonly calls: Pick<Calls, 'openSession' | 'endSession'>;
}

/** Many answers about one evolving input. */
export class Sessions {
  constructor(private readonly transport: SessionTransport) {}

  /** Opens a session and connects to its stream. */
  async open(request: SessionRequest, options: SessionOptions = {}): Promise<SessionStream> {
    const { apiKey, calls } = this.transport;
    const { backPressure = 'latest', signal } = options;
    const end = (id: string) => calls.endSession({ path: { id } });
    const session = await calls.openSession({ body: request, ...(signal && { signal }) });
    try {
      const socket = await openSocket(session.stream_url, apiKey, signal);
      return new SessionStream(socket, session, backPressure, { end });
    } catch (error) {
      // A session without its socket is of no use, and counts against the key until its time is over.
      await end(session.session_id).catch(() => undefined);
      throw error;
    }
  }
}
