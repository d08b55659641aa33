import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  /** How often a call is sent again; 2 when left out. */
  readonly maxRetries?: number;
  /** Milliseconds before the first retry, doubled for each further one; 500 when left out. */
  readonly firstDelay?: number;
  readonly fetch?: typeof fetch;
}

const LONGEST_DELAY = 30_000;

/** Calls that make something new each time: when it is unknown whether they took effect, they are not sent again. */
const CREATES = /\/v1\/(?:batches|sessions|collections|uploads|batches\/[^/]+\/requests)$/;

const repeats = (request: Request) => !(request.method === 'POST' && CREATES.test(new URL(request.url).pathname));

function retryable(request: Request, response: Response): boolean {
  if (response.status === 408 || response.status === 429) return true;
  if (response.status === 529) return true;
  return response.status >= 500 && repeats(request);
}

/** What the service asks to wait, in milliseconds; -1 when it does not say. */
function asked(headers: Headers): number {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : -1;
}

/** A `fetch` that sends a call again after 408, 429, 529, another 5xx or a broken connection, never before it is asked to. */
export function retryingFetch(options: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { maxRetries = 2, firstDelay = 500, fetch: send = fetch } = options;
  const backoff = (attempt: number) => Math.min(LONGEST_DELAY, firstDelay * 2 ** attempt) * (0.5 + Math.random() / 2);

  return async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= maxRetries;
      let delay = backoff(attempt);
      try {
        const response = await send(last ? request : request.clone());
        if (last || !retryable(request, response)) return response;
        delay = Math.max(delay, asked(response.headers));
        // An enrollment that has no price is never served: the service says so by leaving out how long to wait.
        if (delay > LONGEST_DELAY || (await hopeless(response))) return response;
        await response.body?.cancel();
      } catch (error) {
        if (last || request.signal.aborted || !repeats(request)) throw error;
      }
      await sleep(delay, undefined, { signal: request.signal });
    }
  };
}

async function hopeless(response: Response): Promise<boolean> {
  if (response.status !== 529 || asked(response.headers) >= 0) return false;
  return (await response.clone().text()).includes('"enrollment_unpriced"');
}
