import { type ErrorType, errorRule, errors, validators } from '@assay/contract';
import { InvalidRequest, QuestionLimitRefusal, Refusal } from './refusal.js';
import { renderError } from './rendered-error.js';

const types = Object.keys(errors) as ErrorType[];

test.each(types)('%s has the status, the headers and the body of the error table', (type) => {
  const rendered = renderError(new Refusal(type));
  const { status, waits, message } = errorRule(type);
  expect(rendered?.status).toBe(status);
  expect(validators.zErrorBody.safeParse(rendered?.body).error).toBeUndefined();
  expect(rendered?.headers['retry-after']).toBe(waits ? '1' : undefined);
  expect(rendered?.headers['retry-after-ms']).toBe(waits ? '1000' : undefined);
  expect(rendered?.headers['x-service-error']).toBe(message);
});

test('the body of max_tokens_exceeded has its type only', () => {
  expect(renderError(new Refusal('max_tokens_exceeded'))?.body).toEqual({
    detail: { error_type: 'max_tokens_exceeded' },
  });
});

test('a limit of a question is a 400 with a plain string', () => {
  expect(renderError(new QuestionLimitRefusal('Too many choices'))).toMatchObject({
    status: 400,
    body: { detail: 'Too many choices' },
  });
});

test('waits are whole seconds, rounded up, and exact milliseconds', () => {
  const rendered = renderError(new Refusal('rate_limit_error', { retryAfterMs: 1_200.4 }));
  expect(rendered?.headers).toMatchObject({ 'retry-after': '2', 'retry-after-ms': '1201' });
});

test('an enrollment that has no price is never retried', () => {
  const rendered = renderError(new Refusal('overloaded_error', { details: { reason: 'enrollment_unpriced' } }));
  expect(rendered?.headers['retry-after']).toBeUndefined();
  expect(rendered?.body).toMatchObject({ detail: { details: { reason: 'enrollment_unpriced' } } });
});

test('a header takes no line break and no other script', () => {
  const rendered = renderError(new Refusal('api_usage_error', { message: 'Unknown model: é\r\nx-evil: 1' }));
  expect(rendered?.headers['x-service-error']).toBe('Unknown model: ???x-evil: 1');
});

test('a 422 lists every entry; anything else is not for the caller', () => {
  const entry = { type: 'missing', loc: ['body', 'model'], msg: 'Field required', input: null };
  expect(renderError(new InvalidRequest([entry]))).toMatchObject({ status: 422, body: { detail: [entry] } });
  expect(renderError(new Error('connection string'))).toBeUndefined();
});
