import type { AnyDetail, ErrorDetails, ErrorType, ValidationEntry } from './generated/types.gen.js';

/** The service answered with an error. There is one class per status that a program may want to tell apart. */
export class AssayError extends Error {
  override readonly name: string = 'AssayError';
  readonly status: number;
  /** The `error_type`; absent for a 422 and for a question's limits. */
  readonly errorType: ErrorType | undefined;
  readonly details: ErrorDetails | undefined;
  /** Every invalid field of a 422. */
  readonly invalid: readonly ValidationEntry[];
  /** The service's id of the request, for support. */
  readonly requestId: string | undefined;

  constructor(status: number, detail: AnyDetail | undefined, headers: Headers) {
    super(describe(status, detail));
    const named = typeof detail === 'object' && !Array.isArray(detail) ? detail : undefined;
    this.status = status;
    this.errorType = named?.error_type;
    this.details = named && 'details' in named ? named.details : undefined;
    this.invalid = Array.isArray(detail) ? detail : [];
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

function describe(status: number, detail: AnyDetail | undefined): string {
  if (detail === undefined) return `HTTP ${status}`;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return 'message' in detail ? detail.message : detail.error_type;
}

export class BadRequestError extends AssayError {
  override readonly name = 'BadRequestError';
}
export class AuthenticationError extends AssayError {
  override readonly name = 'AuthenticationError';
}
export class InsufficientCreditError extends AssayError {
  override readonly name = 'InsufficientCreditError';
}
export class ForbiddenError extends AssayError {
  override readonly name = 'ForbiddenError';
}
export class NotFoundError extends AssayError {
  override readonly name = 'NotFoundError';
}
export class RequestTimeoutError extends AssayError {
  override readonly name = 'RequestTimeoutError';
}
export class ConflictError extends AssayError {
  override readonly name = 'ConflictError';
}
export class GoneError extends AssayError {
  override readonly name = 'GoneError';
}
export class TooLargeError extends AssayError {
  override readonly name = 'TooLargeError';
}
export class InvalidRequestError extends AssayError {
  override readonly name = 'InvalidRequestError';
}
export class RateLimitError extends AssayError {
  override readonly name = 'RateLimitError';
}
export class ServiceError extends AssayError {
  override readonly name = 'ServiceError';
}
export class OverloadedError extends AssayError {
  override readonly name = 'OverloadedError';
}

const CLASSES: { readonly [status: number]: typeof AssayError } = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientCreditError,
  403: ForbiddenError,
  404: NotFoundError,
  408: RequestTimeoutError,
  409: ConflictError,
  410: GoneError,
  413: TooLargeError,
  422: InvalidRequestError,
  429: RateLimitError,
  500: ServiceError,
  529: OverloadedError,
};

/** The error for a response, from its status and what its body says. */
export function errorFrom(response: Response, body: unknown): AssayError {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? (body.detail as AnyDetail) : undefined;
  const fallback = response.status >= 500 ? ServiceError : AssayError;
  return new (CLASSES[response.status] ?? fallback)(response.status, detail, response.headers);
}
