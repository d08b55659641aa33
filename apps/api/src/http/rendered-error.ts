import { type ErrorType, errorRule } from '@assay/contract';
import { InvalidRequest, QuestionLimitRefusal, Refusal } from './refusal.js';

/** A response that says no. */
export interface RenderedError {
  status: number;
  errorType: string;
  headers: Record<string, string>;
  body: { detail: unknown };
}

const DEFAULT_WAIT_MS = 1_000;

/** Header values are ASCII on one line; what does not fit is shown as `?`. */
const ascii = (message: string): string => message.replace(/[^ -~]/gu, '?').slice(0, 1_000);

function waitHeaders(type: ErrorType, refusal: Refusal): Record<string, string> {
  const neverRetried = refusal.notes.details?.reason === 'enrollment_unpriced';
  if (!errorRule(type).waits || neverRetried) return {};
  const ms = Math.ceil(refusal.notes.retryAfterMs ?? DEFAULT_WAIT_MS);
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))), 'retry-after-ms': String(ms) };
}

function renderRefusal(refusal: Refusal): RenderedError {
  const { type, notes } = refusal;
  const rule = errorRule(type);
  const message = notes.message ?? rule.message;
  const described = { error_type: type, message, ...(notes.details && { details: notes.details }) };
  return {
    status: rule.status,
    errorType: type,
    headers: { ...rule.headers, ...waitHeaders(type, refusal), ...notes.headers, 'x-service-error': ascii(message) },
    body: { detail: type === 'max_tokens_exceeded' ? { error_type: type } : described },
  };
}

/** Turns what a call was refused with into the contract's response. Everything else is not for the caller to see. */
export function renderError(error: unknown): RenderedError | undefined {
  if (error instanceof Refusal) return renderRefusal(error);
  if (error instanceof QuestionLimitRefusal) {
    const { status } = errorRule('api_usage_error');
    const headers = { 'x-service-error': ascii(error.message) };
    return { status, errorType: 'question_limit', headers, body: { detail: error.message } };
  }
  if (error instanceof InvalidRequest) {
    const headers = { 'x-service-error': ascii(error.entries[0]?.msg ?? 'invalid') };
    return { status: 422, errorType: 'validation', headers, body: { detail: error.entries } };
  }
  return undefined;
}
