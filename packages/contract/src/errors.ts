import type { ErrorType } from './generated/types.gen.js';

/** When a caller may send the same request again. */
export type RetryRule = 'never' | 'after_wait' | 'after_credit' | 'poll' | 'later';

export interface ErrorRule {
  readonly status: number;
  readonly retry: RetryRule;
  /** Carries `Retry-After` and `retry-after-ms`. */
  readonly waits: boolean;
  /** What the caller reads when the place that raises the error has nothing more precise to say. */
  readonly message: string;
  /** When it is raised, for the table in ERRORS.md. */
  readonly when: string;
  /** Other headers of the response, with their fixed values. */
  readonly headers?: Readonly<Record<string, string>>;
}

const rule = (
  status: number,
  retry: RetryRule,
  message: string,
  when: string,
  more: { waits?: boolean; headers?: Readonly<Record<string, string>> } = {},
): ErrorRule => ({ status, retry, waits: false, message, when, ...more });

const WAITS = { waits: true };

/** Every error that the service gives as an object with `error_type`. */
export const errors = {
  api_usage_error: rule(
    400,
    'never',
    'The request cannot be served as it is.',
    'a limit crossed, an unknown model, a bad image, an unreadable query value, a malformed Idempotency-Key, a number grid that is not served, bad batch limits or lines',
  ),
  max_tokens_exceeded: rule(
    400,
    'never',
    'The request has too many tokens.',
    'over 65,536 tokens; the body has no message',
  ),
  image_url_refused: rule(
    400,
    'never',
    'The image address is not fetched.',
    'a url that is not fetched, or an upload that is unknown, expired or unusable',
  ),
  authentication_error: rule(
    401,
    'never',
    'The API key is missing, unknown or revoked.',
    'the key is missing, malformed, unknown or revoked',
    { headers: { 'www-authenticate': 'Bearer' } },
  ),
  insufficient_credit: rule(
    402,
    'after_credit',
    'The credit of this workspace is used up.',
    'the prepaid balance does not cover the call; nothing is billed; reads, edits and deletes stay open',
  ),
  workspace_suspended: rule(403, 'never', 'This workspace is suspended.', 'the workspace is suspended'),
  key_scope_denied: rule(
    403,
    'never',
    'This key may only make decisions; collections need a key with Full access.',
    'a Decisions-only key on a collections call',
  ),
  collections_region_unavailable: rule(
    403,
    'never',
    'Collections are not available at the storage location of this workspace.',
    'the storage location of the workspace is not the default',
  ),
  collection_read_only: rule(
    403,
    'never',
    'This collection is public and read-only.',
    'a public collection is written to',
  ),
  safety_refusal: rule(
    403,
    'never',
    'This request was refused by the safety check.',
    'refused by the safety check; not charged',
  ),
  not_found_error: rule(
    404,
    'never',
    'Not found.',
    'no such route, or the key has no batch, session or item with this id',
  ),
  collection_not_found: rule(404, 'never', 'No such collection.', 'the workspace has no such collection'),
  request_timeout_error: rule(408, 'after_wait', 'The body did not arrive in time.', 'the body did not arrive in time'),
  results_not_ready: rule(409, 'poll', 'The batch has not ended.', 'results of a batch that has not ended'),
  batch_state_conflict: rule(
    409,
    'never',
    'The batch is no longer in a state that allows this.',
    'adding to a batch that is no draft, or finalizing one that was cancelled',
  ),
  items_limit_reached: rule(
    409,
    'never',
    'The workspace holds as many items as it may.',
    'the workspace holds 1,000,000 items, unless set otherwise',
  ),
  idempotency_key_reused: rule(
    409,
    'never',
    'This Idempotency-Key was used with another request.',
    'the key was used with another route or body within 24 hours',
  ),
  idempotency_in_progress: rule(
    409,
    'after_wait',
    'The first request with this Idempotency-Key still runs.',
    'the first request with the key still runs',
    WAITS,
  ),
  stream_in_use: rule(409, 'never', 'This session has its socket already.', 'a second socket for a session'),
  results_expired: rule(
    410,
    'never',
    'The results were deleted.',
    'results of a batch that ended more than 7 days ago',
  ),
  session_ended: rule(410, 'never', 'This session has ended.', 'the stream of a session that has ended'),
  request_too_large_error: rule(
    413,
    'never',
    'The body is too large.',
    'a body over 26,214,400 bytes, a batch over 256 MB, an add call over 10 MiB',
  ),
  rate_limit_error: rule(
    429,
    'after_wait',
    'Too many calls in this minute.',
    'over the request rate; batch calls count',
    WAITS,
  ),
  batch_limit_exceeded: rule(
    429,
    'later',
    'This key has as many active batches, or requests in them, as it may.',
    'over 10 active batches or 100,000 requests in them; clears when a batch ends or is cancelled',
    WAITS,
  ),
  api_error: rule(500, 'after_wait', 'Something went wrong on our side.', "a fault on the service's side"),
  overloaded_error: rule(
    529,
    'after_wait',
    'There is no capacity now.',
    'no capacity; retry with backoff and jitter',
    WAITS,
  ),
} as const satisfies { readonly [Type in ErrorType]: ErrorRule };

export const errorRule = (type: ErrorType): ErrorRule => errors[type];
