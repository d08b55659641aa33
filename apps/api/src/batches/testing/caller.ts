import { type Batch, parse, stringify } from '@assay/contract';

export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

type Sent = NonNullable<RequestInit['body']>;

/** Calls the batch endpoints with one key, over HTTP. */
export class BatchCaller {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async call<Body = Batch>(
    method: string,
    path: string,
    body?: Sent,
    headers: Record<string, string> = {},
  ): Promise<Reply<Body>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? parse(text) : undefined) as Body,
    };
  }

  create(lines: Sent): Promise<Reply<Batch>> {
    return this.call('POST', '/v1/batches', lines, { 'content-type': 'application/x-ndjson' });
  }

  add(id: string, lines: Sent): Promise<Reply<Batch>> {
    return this.call('POST', `/v1/batches/${id}/requests`, lines, { 'content-type': 'application/x-ndjson' });
  }

  finalize(id: string): Promise<Reply<Batch>> {
    return this.call('POST', `/v1/batches/${id}/finalize`);
  }

  cancel(id: string): Promise<Reply<Batch>> {
    return this.call('POST', `/v1/batches/${id}/cancel`);
  }

  get(id: string): Promise<Reply<Batch>> {
    return this.call('GET', `/v1/batches/${id}`);
  }

  results(id: string, query = '', headers: Record<string, string> = {}): Promise<Reply> {
    return this.call('GET', `/v1/batches/${id}/results${query}`, undefined, headers);
  }

  decide(body: unknown): Promise<Reply> {
    return this.call('POST', '/v1/decide', stringify(body), { 'content-type': 'application/json' });
  }

  /** Creates and finalizes a batch; its state is whatever it is by then. */
  async queue(lines: Sent): Promise<Batch> {
    const created = await this.create(lines);
    if (created.status !== 201) throw new Error(`create: ${created.status} ${created.text}`);
    return (await this.finalize(created.body.id)).body;
  }

  /** Polls until the batch has ended, and hands every look at it to `look`. */
  async ended(id: string, look: (batch: Batch) => void = () => undefined): Promise<Batch> {
    for (;;) {
      const { body } = await this.get(id);
      look(body);
      if (body.ended_at !== null) return body;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** One line as it is uploaded. */
export const line = (customId: string, body: unknown): string => stringify({ custom_id: customId, body });
export const lines = (...all: string[]): string => `${all.join('\n')}\n`;
