import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId } from '@assay/contract';
import type { Caller } from '../access/keys/api-key.js';
import type { Checked } from './call.js';

/** A caller's own x-request-id is not taken over: this one is unique here and safe to put in a log. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** What is known of one request and may be logged: never anything the caller wrote. */
export interface RequestFacts {
  operation?: OperationId;
  keyId?: string;
  workspaceId?: string;
  model?: string;
  inputTokens?: number;
  errorType?: string;
  bodyBytes?: number;
}

/** One request on its way through the service. */
export class RequestContext {
  readonly id = newRequestId();
  readonly startedAt = performance.now();
  readonly facts: RequestFacts = {};
  readonly checked: Checked = {};
  caller: Caller | undefined;
  /** Set once the call was counted against its rate limit. */
  admitted = false;
  private readonly gone = new AbortController();

  constructor(private readonly response: ServerResponse) {}

  /** Aborts when the caller hung up or the time for the call is over: work that nobody waits for stops. */
  readonly signal: AbortSignal = this.gone.signal;

  abandon(reason: 'hang-up' | 'timeout'): void {
    this.gone.abort(reason);
  }

  setHeader(name: string, value: string): void {
    if (!this.response.headersSent) this.response.setHeader(name, value);
  }

  call(): unknown {
    return { operation: this.facts.operation, ...this.checked, caller: this.caller, context: this };
  }
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export function openContext(request: IncomingMessage, response: ServerResponse): RequestContext {
  const opened = new RequestContext(response);
  contexts.set(request, opened);
  return opened;
}

export function contextOf(request: IncomingMessage): RequestContext {
  const found = contexts.get(request);
  if (!found) throw new Error('A request reached a handler without passing the entry');
  return found;
}
