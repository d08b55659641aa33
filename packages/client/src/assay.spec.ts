import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Assay } from './assay.js';
import {
  AssayError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  OverloadedError,
  RateLimitError,
  RequestTimeoutError,
  ServiceError,
  TooLargeError,
} from './errors.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
    response.end(JSON.stringify(body));
  };

const refusal = (error_type: string, message = 'no') => ({ detail: { error_type, message } });
const decision = {
  model: 'assay-1.0',
  answers: { urgent: { type: 'truth', truth: 0.91 } },
  usage: { input_tokens: 42, output_tokens: 0 },
};
const question = { model: 'assay-1.0', state: 'Now!', questions: { urgent: { type: 'truth' as const } } };

describe('Assay', () => {
  let server: Server;
  let answers: Answer[];
  let seen: Seen[];
  let assay: Assay;

  beforeEach(async () => {
    answers = [];
    seen = [];
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    assay = new Assay({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: 'asy_live_test', firstDelay: 1 });
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const failure = (call: Promise<unknown>): Promise<AssayError> =>
    call.then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => (error instanceof AssayError ? error : Promise.reject(error)),
    );

  it('sends the key and the body, and returns the body of the response', async () => {
    answers = [json(200, decision)];
    await expect(assay.decide({ body: question })).resolves.toEqual(decision);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/decide' });
    expect(seen[0]?.headers.authorization).toBe('Bearer asy_live_test');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(question);
  });

  it('puts ids and page values into the address', async () => {
    answers = [json(200, { items: [], next_offset: null })];
    await assay.listItems({ path: { id: 'col_1' }, query: { offset: 20, reference: 'a:b' } });
    expect(seen[0]?.url).toBe('/v1/collections/col_1/items?offset=20&reference=a%3Ab');
  });

  it.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [402, InsufficientCreditError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [408, RequestTimeoutError],
    [409, ConflictError],
    [410, GoneError],
    [413, TooLargeError],
    [422, InvalidRequestError],
    [429, RateLimitError],
    [500, ServiceError],
    [503, ServiceError],
    [529, OverloadedError],
  ])('throws its own class for %i', async (status, type) => {
    answers = [json(status, refusal('api_usage_error', 'words'))];
    const error = await failure(assay.decide({ body: question }));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, errorType: 'api_usage_error', message: 'words', requestId: 'req_1' });
  });

  it('reads all shapes of detail', async () => {
    answers = [json(400, { detail: 'Too many choices' })];
    expect((await failure(assay.decide({ body: question }))).message).toBe('Too many choices');
    answers = [json(400, { detail: { error_type: 'max_tokens_exceeded' } })];
    expect(await failure(assay.decide({ body: question }))).toMatchObject({ errorType: 'max_tokens_exceeded' });
    const entry = { type: 'missing', loc: ['body', 'model'], msg: 'Field required', input: null };
    answers = [json(422, { detail: [entry] })];
    expect(await failure(assay.decide({ body: question }))).toMatchObject({
      invalid: [entry],
      message: 'body.model: Field required',
    });
  });

  it.each([408, 429, 500, 503, 529])('sends a call again after %i', async (status) => {
    answers = [json(status, refusal('api_error'), { 'retry-after-ms': '1' }), json(200, decision)];
    await expect(assay.decide({ body: question })).resolves.toEqual(decision);
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([question, question]);
  });

  it('gives up after the retries it may make', async () => {
    answers = [json(529, refusal('overloaded_error'), { 'retry-after-ms': '1' })];
    await expect(assay.decide({ body: question })).rejects.toThrow(OverloadedError);
    expect(seen).toHaveLength(3);
  });

  it.each([400, 401, 402, 403, 404, 409, 410, 413, 422])('never sends a call again after %i', async (status) => {
    answers = [json(status, refusal('api_usage_error'))];
    await failure(assay.decide({ body: question }));
    expect(seen).toHaveLength(1);
  });

  it('does not wait longer than a caller would', async () => {
    answers = [json(429, refusal('rate_limit_error'), { 'retry-after': '3600' })];
    await expect(assay.decide({ body: question })).rejects.toThrow(RateLimitError);
    expect(seen).toHaveLength(1);
  });

  it('sends a call again when the connection breaks', async () => {
    answers = [(response) => response.destroy(), json(200, decision)];
    await expect(assay.decide({ body: question })).resolves.toEqual(decision);
    expect(seen).toHaveLength(2);
  });

  it('does not make a batch twice when it is unknown whether the first call took effect', async () => {
    answers = [json(500, refusal('api_error'))];
    await expect(assay.createBatch({ body: [] })).rejects.toThrow(ServiceError);
    answers = [(response) => response.destroy()];
    await expect(assay.createBatch({ body: [] })).rejects.toThrow();
    expect(seen).toHaveLength(2);
  });

  it('enrolls under one idempotency key, retries included', async () => {
    answers = [json(500, refusal('api_error')), json(201, {})];
    await assay.enrollItem({ path: { id: 'col_1' }, body: { image: { data: 'aGk=' }, reference: 'r' } });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('does not repeat an enrollment that has no price', async () => {
    const detail = { ...refusal('overloaded_error').detail, details: { reason: 'enrollment_unpriced' } };
    answers = [json(529, { detail })];
    const call = assay.enrollItem({ path: { id: 'col_1' }, body: { image: { data: 'aGk=' }, reference: 'r' } });
    expect(await failure(call)).toMatchObject({ details: { reason: 'enrollment_unpriced' } });
    expect(seen).toHaveLength(1);
  });
});
