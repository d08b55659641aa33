/** A request that no repetition makes right: the caller has to change it. */
export class MaxTokensExceededError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`the request is over ${limit} tokens`);
    this.name = 'MaxTokensExceededError';
    this.limit = limit;
  }
}

export class FrameTooLongError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`the frame is over ${limit} tokens`);
    this.name = 'FrameTooLongError';
    this.limit = limit;
  }
}

export type QuestionLimit =
  | 'too_many_options'
  | 'too_many_levels'
  | 'number_grid_too_large'
  | 'number_step_too_small'
  | 'number_grid_empty'
  | 'no_candidates'
  | 'candidate_too_long';

export class QuestionLimitError extends Error {
  readonly question: string;
  readonly kind: QuestionLimit;
  readonly limit: number;
  readonly given: number;
  /** Of a `candidate_too_long`: the option, level or grid value. */
  readonly candidate: string | undefined;

  constructor(question: string, kind: QuestionLimit, limit: number, given: number, candidate?: string) {
    super(`question over a limit: ${kind}, ${given} given, the limit is ${limit}`);
    this.name = 'QuestionLimitError';
    this.question = question;
    this.kind = kind;
    this.limit = limit;
    this.given = given;
    this.candidate = candidate;
  }
}

export class UnknownModelError extends Error {
  readonly model: string;

  constructor(model: string) {
    super(`Unknown model: ${model}`);
    this.name = 'UnknownModelError';
    this.model = model;
  }
}

export type OverloadReason = 'queue' | 'memory';

/** No room now. Nothing has been computed, and nothing was queued. */
export class OverloadedError extends Error {
  readonly reason: OverloadReason;
  readonly retryAfterMs: number;

  constructor(reason: OverloadReason, retryAfterMs: number) {
    super(reason === 'queue' ? 'too much work is waiting' : 'no memory for another context');
    this.name = 'OverloadedError';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
