import { type Exchange, shownReply, shownRequest } from './exchange.js';
import { Reply } from './reply.js';
import { connect, type Stream } from './stream.js';

export interface Call {
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running service as one caller sees it: plain HTTP, nothing retried, nothing interpreted. */
export class Service {
  constructor(
    readonly baseUrl: string,
    private readonly key: string | undefined,
    private readonly seen: (exchange: Exchange) => void,
  ) {}

  /** The same service for a caller with another key, or with none. */
  as(key: string | undefined): Service {
    return new Service(this.baseUrl, key, this.seen);
  }

  /** Another process of the same deployment, for the same caller. */
  at(baseUrl: string): Service {
    return new Service(baseUrl, this.key, this.seen);
  }

  async call({ method, path, json, body, headers = {} }: Call): Promise<Reply> {
    const payload = body ?? (json === undefined ? undefined : JSON.stringify(json));
    const verb = method ?? (payload === undefined ? 'GET' : 'POST');
    const response = await fetch(new URL(path, this.baseUrl), {
      method: verb,
      headers: {
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const shown = typeof payload === 'string' ? payload : payload === undefined ? '' : `(${payload.length} bytes)`;
    this.seen({ sent: shownRequest(verb, path, shown), received: shownReply(response.status, text) });
    return new Reply(response.status, response.headers, text);
  }

  /** The socket of a session's stream as this caller, or how the upgrade was refused. */
  connect(url: string): Promise<Stream | Reply> {
    return connect(url, this.key, this.seen);
  }
}
