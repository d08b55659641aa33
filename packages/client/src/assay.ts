import { randomUUID } from 'node:crypto';
import { Batches } from './batches/batches.js';
import { errorFrom } from './errors.js';
import { createClient, createConfig } from './generated/client/index.js';
import { Calls } from './generated/sdk.gen.js';
import { type RetryOptions, retryingFetch } from './retry.js';
import { Sessions } from './sessions/sessions.js';

export interface AssayOptions extends RetryOptions {
  /** Where the service is, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  /** `asy_live_…`. Keep it on a server. */
  readonly apiKey: string;
}

/** The calls of the service. Each returns the body of the success response and throws an `AssayError` otherwise. */
export class Assay extends Calls {
  /** Whole batches: from lines to results. */
  readonly batches: Batches;
  /** Streams of frames about one evolving input. */
  readonly sessions: Sessions;

  constructor({ baseUrl, apiKey, ...retry }: AssayOptions) {
    const send = retryingFetch(retry);
    const client = createClient(
      createConfig({
        baseUrl: baseUrl.replace(/\/$/, ''),
        auth: apiKey,
        throwOnError: true,
        fetch: (input, init) => send(new Request(input, init)),
      }),
    );
    client.interceptors.error.use((error, response) => (response && !response.ok ? errorFrom(response, error) : error));
    super({ client });
    this.batches = new Batches({ baseUrl: baseUrl.replace(/\/$/, ''), apiKey, send });
    this.sessions = new Sessions({ apiKey, calls: this });
  }

  /** Every enrollment gets an `Idempotency-Key`, so that a retry never enrolls or bills twice. */
  override enrollItem: Calls['enrollItem'] = (options) =>
    super.enrollItem({ ...options, headers: { 'Idempotency-Key': randomUUID(), ...options.headers } });
}
