import type { ErrorType } from './generated/types.gen.js';

/** How going over a limit is answered: with an error of the table, a plain string in `detail` (400), or a 422 entry. */
export type LimitError = ErrorType | 'question_limit' | 'validation';

export interface LimitRule {
  readonly value: number;
  readonly unit: string;
  readonly status: number;
  readonly error: LimitError;
  /** What the caller reads, given what was sent where that helps. */
  readonly message: (sent: number | string) => string;
}

const limit = (
  value: number,
  unit: string,
  status: number,
  error: LimitError,
  message: LimitRule['message'],
): LimitRule => ({
  value,
  unit,
  status,
  error,
  message,
});

const count = (value: number) => value.toLocaleString('en-US');
const usage = (value: number, unit: string, message: LimitRule['message']) =>
  limit(value, unit, 400, 'api_usage_error', message);
const question = (value: number, unit: string, message: LimitRule['message']) =>
  limit(value, unit, 400, 'question_limit', message);
const tooLarge = (value: number, what: string) =>
  limit(value, 'bytes', 413, 'request_too_large_error', () => `${what} has more than ${count(value)} bytes.`);

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit that the service itself checks, and how going over it is answered. The schemas hold the others. */
export const limits = {
  requestTokens: limit(65_536, 'tokens', 400, 'max_tokens_exceeded', () => 'The request has more than 65,536 tokens.'),
  choiceOptions: question(255, 'options', (sent) => `Too many choices: ${sent}, at most 255.`),
  scoreLevels: question(10, 'levels', (sent) => `Too many score levels: ${sent}, at most 10.`),
  numberValues: usage(256, 'values', (sent) => `The grid has ${sent} values, at most 256 are served.`),
  numberStep: usage(1, 'least step', (sent) => `The step is ${sent}, at least 1 is served.`),
  imagePixels: usage(50_000_000, 'pixels', (sent) => `The picture has ${sent} pixels, at most 50,000,000.`),
  imageFrames: usage(1, 'frames', (sent) => `The picture has ${sent} frames, at most 1.`),
  images: usage(16, 'images', (sent) => `The request has ${sent} images, at most 16.`),
  collections: usage(8, 'collections', (sent) => `The request names ${sent} collections, at most 8.`),
  jsonBody: tooLarge(25 * MIB, 'The body'),
  uploadBody: tooLarge(25 * MIB, 'The picture'),
  batchUpload: tooLarge(256_000_000, 'The batch'),
  batchAdd: tooLarge(10 * MIB, 'The call'),
  batchRequests: usage(10_000, 'requests', (sent) => `The batch would have ${sent} requests, at most 10,000.`),
  customId: usage(512, 'characters', (line) => `Line ${line}: custom_id must have 1 to 512 characters.`),
  activeBatches: limit(10, 'batches', 429, 'batch_limit_exceeded', () => 'This key has 10 active batches, at most 10.'),
  activeRequests: limit(
    100_000,
    'requests',
    429,
    'batch_limit_exceeded',
    () => 'This key would have more than 100,000 requests in active batches.',
  ),
  pageEntries: usage(1000, 'entries', () => 'limit must be a whole number from 1 to 1,000.'),
  frameTokens: usage(4096, 'tokens', (sent) => `The frame has ${sent} tokens, at most 4,096.`),
  sessionWindow: limit(64, 'frames', 422, 'validation', () => 'Input should be less than or equal to 64'),
  sessionSeconds: limit(3600, 'seconds', 422, 'validation', () => 'Input should be less than or equal to 3600'),
  imageId: limit(64, 'characters', 422, 'validation', () => 'String should have at most 64 characters'),
  idempotencyKey: usage(
    255,
    'characters',
    () => 'Idempotency-Key must have 1 to 255 printable ASCII characters, sent once.',
  ),
  workspaceItems: limit(
    1_000_000,
    'items',
    409,
    'items_limit_reached',
    (most) => `The workspace holds ${most} items, as many as it may.`,
  ),
  facesReadable: limit(1024, 'faces', 422, 'validation', () => 'The picture shows more than 1,024 faces.'),
} as const satisfies { readonly [name: string]: LimitRule };

export type LimitName = keyof typeof limits;

/** Figures that are not limits on what is sent. */
export const durations = {
  sessionDefaultSeconds: 300,
  batchExpirySeconds: 24 * 3600,
  resultsRetentionSeconds: 7 * 24 * 3600,
  uploadRetentionSeconds: 24 * 3600,
  idempotencySeconds: 24 * 3600,
  enrollmentSeconds: 10,
} as const;

/** Faces of one picture that are reported. */
export const FACES_REPORTED = 64;

/** Frames in the window of a session that names none. */
export const DEFAULT_WINDOW = 8;

/** Part of the live price that a batch is billed at. */
export const BATCH_PRICE_FACTOR = 0.5;
