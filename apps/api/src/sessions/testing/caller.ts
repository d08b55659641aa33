import type { IncomingMessage } from 'node:http';
import type { EndedSession, Session } from '@assay/contract';
import { WebSocket } from 'ws';
import type { TestService } from '../../walks/test-service.js';

export const QUESTIONS = {
  urgent: { type: 'truth', instructions: 'Is it urgent?' },
  topic: {
    type: 'choice',
    instructions: 'What is it about?',
    criteria: { money: null, '10': 'parcels', '9': 'thanks' },
  },
};

export interface Reply {
  seq: number;
  answers?: Record<string, unknown>;
  latency_ms?: number;
  safety?: Record<string, number>;
  skipped?: number[];
  usage?: { input_tokens: number; output_tokens: number };
  error?: { status: number; detail: unknown };
}

export interface Refused {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** One caller of a service: calls over HTTP, and sockets. */
export class Caller {
  constructor(
    readonly service: Pick<TestService, 'url'>,
    readonly key: string,
  ) {}

  post(path: string, body: unknown): Promise<Response> {
    return this.send('POST', path, typeof body === 'string' ? body : JSON.stringify(body));
  }

  async open(fields: Record<string, unknown> = {}): Promise<Session> {
    const response = await this.post('/v1/sessions', { model: 'tiny-latest', questions: QUESTIONS, ...fields });
    if (response.status !== 201) throw new Error(`opening answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Session;
  }

  /** The answers of a decide call, as the bytes that stand in its body. */
  async decide(body: Record<string, unknown>): Promise<string> {
    const response = await this.post('/v1/decide', { model: 'tiny-latest', questions: QUESTIONS, ...body });
    if (response.status !== 200) throw new Error(`decide answered ${response.status}: ${await response.text()}`);
    return answersIn(await response.text());
  }

  end(id: string): Promise<Response> {
    return this.send('DELETE', `/v1/sessions/${id}`);
  }

  async ended(id: string): Promise<EndedSession> {
    return (await (await this.end(id)).json()) as EndedSession;
  }

  /** The socket of a session, or how it was refused. */
  connect(
    id: string,
    headers: Record<string, string> = { authorization: `Bearer ${this.key}` },
  ): Promise<Stream | Refused> {
    const url = `${this.service.url.replace('http', 'ws')}/v1/sessions/${id}/stream`;
    const socket = new WebSocket(url, { headers });
    return new Promise((resolve, reject) => {
      const stream = new Stream(socket);
      socket.once('open', () => resolve(stream));
      socket.once('unexpected-response', (_, response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      socket.once('error', reject);
    });
  }

  async stream(id: string): Promise<Stream> {
    const opened = await this.connect(id);
    if (!(opened instanceof Stream)) throw new Error(`the upgrade was refused with ${opened.status}: ${opened.text}`);
    return opened;
  }

  private send(method: string, path: string, body?: string): Promise<Response> {
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    return fetch(this.service.url + path, { method, headers, ...(body !== undefined && { body }) });
  }
}

/** An open socket whose messages are kept until they are asked for. */
export class Stream {
  readonly received: string[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly waiting: ((text: string) => void)[] = [];

  constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const next = this.waiting.shift();
      if (next) next(data.toString());
      else this.received.push(data.toString());
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message));
  }

  nextText(): Promise<string> {
    const kept = this.received.shift();
    if (kept !== undefined) return Promise.resolve(kept);
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      void this.closed.then(({ code }) => reject(new Error(`closed with ${code}`)));
    });
  }

  async next(): Promise<Reply> {
    return JSON.parse(await this.nextText()) as Reply;
  }

  /** Sends a frame and waits for its reply. */
  ask(frame: Record<string, unknown>): Promise<Reply> {
    this.send(frame);
    return this.next();
  }

  async askText(frame: Record<string, unknown>): Promise<string> {
    this.send(frame);
    return this.nextText();
  }
}

/** The text of `answers` in a body or a reply, which is what has to be the same to the byte. */
export function answersIn(text: string): string {
  const found = /"answers":(\{.*\}),"(?:usage|latency_ms)"/s.exec(text)?.[1];
  if (found === undefined) throw new Error(`no answers in ${text.slice(0, 300)}`);
  return found;
}
