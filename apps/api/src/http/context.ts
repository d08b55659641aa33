import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A caller's own x-request-id is not taken over: this one is unique here and safe to put in a log. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** What is known of one request and may be logged: never anything the caller wrote. */
export interface RequestFacts {
  operation?: string;
  keyId?: string;
  workspaceId?: string;
  model?: string;
  inputTokens?: number;
  errorType?: string;
  bodyBytes?: number;
}

export class RequestContext {
  readonly id = newRequestId();
  readonly facts: RequestFacts = {};
  private readonly gone = new AbortController();

  /** Aborts when the caller hung up or the time for the call is over: work that nobody waits for stops. */
  readonly signal: AbortSignal = this.gone.signal;

  abandon(reason: 'hang-up' | 'timeout'): void {
    this.gone.abort(reason);
  }
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export function openContext(request: IncomingMessage): RequestContext {
  const opened = new RequestContext();
  contexts.set(request, opened);
  return opened;
}

export function contextOf(request: IncomingMessage): RequestContext {
  const found = contexts.get(request);
  if (!found) throw new Error('A request reached a handler without passing the entry');
  return found;
}
