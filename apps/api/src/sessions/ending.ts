import type { EndedSession } from '@assay/contract';

/** Why a session ended. */
export type EndReason = EndedSession['reason'];

export interface Close {
  readonly code: number;
  /** Sent in the close frame, for whoever reads a log. */
  readonly text: string;
}

/** How the socket of a session is closed, by why the session ended: the one table of close codes. */
export const CLOSES: Readonly<Record<EndReason, Close>> = {
  client_closed: { code: 1000, text: 'closed by the client' },
  server_shutdown: { code: 1001, text: 'the server is shutting down' },
  deleted: { code: 4000, text: 'ended by DELETE' },
  ttl_elapsed: { code: 4001, text: 'ttl_seconds elapsed' },
  key_refused: { code: 4003, text: 'the key was revoked or its credit is used up' },
  client_too_slow: { code: 4008, text: 'the client does not read its replies' },
  protocol_error: { code: 4400, text: 'not JSON, or not a frame object' },
};
