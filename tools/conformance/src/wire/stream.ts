import { WebSocket } from 'ws';
import { type Exchange, shownReply, shownRequest } from './exchange.js';
import { Reply } from './reply.js';

/** Longer than any reply or close of a working service takes. */
const PATIENCE_MS = 60_000;

/** An open socket: what comes is kept until it is asked for. */
export class Stream {
  private readonly kept: string[] = [];
  private readonly asking: ((text: string | undefined) => void)[] = [];
  private code: number | undefined;
  private readonly closing: Promise<number>;

  constructor(
    private readonly socket: WebSocket,
    private readonly seen: (exchange: Exchange) => void,
  ) {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const asking = this.asking.shift();
      if (asking) asking(data.toString('utf8'));
      else this.kept.push(data.toString('utf8'));
    });
    this.closing = new Promise((resolve) => {
      socket.once('close', (code) => {
        this.code = code;
        for (const asking of this.asking.splice(0)) asking(undefined);
        resolve(code);
      });
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message. */
  next(): Promise<string> {
    const kept = this.kept.shift();
    if (kept !== undefined) return Promise.resolve(kept);
    const coming = new Promise<string | undefined>((resolve) => {
      if (this.code === undefined) this.asking.push(resolve);
      else resolve(undefined);
    });
    return inTime(coming, 'no message came').then((text) => {
      if (text === undefined) throw new Error(`the socket was closed with ${this.code} in place of a message`);
      return text;
    });
  }

  async ask(message: unknown): Promise<string> {
    this.send(message);
    const text = await this.next();
    this.seen({ sent: shownRequest('frame', '', JSON.stringify(message)), received: shownReply(0, text) });
    return text;
  }

  /** The code that the socket is closed with. */
  closed(): Promise<number> {
    return inTime(this.closing, 'the socket was not closed');
  }

  close(): Promise<number> {
    this.socket.close(1000);
    return this.closed();
  }
}

function inTime<T>(coming: Promise<T>, problem: string): Promise<T> {
  let late: NodeJS.Timeout;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(problem)), PATIENCE_MS);
  });
  return Promise.race([coming, tooLate]).finally(() => clearTimeout(late));
}

/** Opens a socket with this key, or says how that was refused. */
export function connect(
  url: string,
  key: string | undefined,
  seen: (exchange: Exchange) => void,
): Promise<Stream | Reply> {
  const socket = new WebSocket(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  const stream = new Stream(socket, seen);
  const sent = shownRequest('GET', new URL(url).pathname, '(upgrade)');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      seen({ sent, received: shownReply(101, '') });
      resolve(stream);
    });
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        seen({ sent, received: shownReply(response.statusCode ?? 0, text) });
        resolve(new Reply(response.statusCode ?? 0, new Headers(headers), text));
      });
    });
  });
}
