/** What a close code of the service means, in the words of its contract. */
const MEANINGS: { readonly [code: number]: string } = {
  1000: 'it was ended by this side',
  1001: 'the server is shutting down',
  1006: 'the connection was lost',
  1009: 'a message was too large',
  4000: 'it was ended by DELETE',
  4001: 'its ttl_seconds elapsed',
  4003: 'the key was revoked or its credit is used up',
  4008: 'its replies were not read',
  4400: 'a message was not JSON, or not a frame object',
};

/** The session is over, and its context with it. It cannot be joined again. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';
  readonly sessionId: string;
  /** The close code of the socket. */
  readonly code: number;

  constructor(sessionId: string, code: number) {
    super(
      `The session ${sessionId} has ended: ${MEANINGS[code] ?? `its socket was closed with code ${code}`}. ` +
        'A session ends with its socket and cannot be reconnected; open another one with sessions.open().',
    );
    this.sessionId = sessionId;
    this.code = code;
  }
}
