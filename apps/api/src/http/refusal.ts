import type { ErrorDetails, ErrorType, ValidationEntry } from '@assay/contract';

export interface RefusalNotes {
  /** In words for the caller; the error table's own text when left out. */
  message?: string;
  details?: ErrorDetails;
  /** How long to wait before the call is sent again; the error table's own wait when left out. */
  retryAfterMs?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A call that is refused with an error of the contract. Everything else that is thrown is a fault of ours and shows as `api_error`. */
export class Refusal extends Error {
  constructor(
    readonly type: ErrorType,
    readonly notes: RefusalNotes = {},
  ) {
    super(type);
  }
}

/** A 400 whose `detail` is a plain string: a limit of one question. */
export class QuestionLimitRefusal extends Error {}

/** A 422: every invalid field at once. */
export class InvalidRequest extends Error {
  constructor(readonly entries: readonly ValidationEntry[]) {
    super('invalid request');
  }
}
