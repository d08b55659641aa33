import { document } from './conformity/document.js';
import type { ErrorRule } from './errors.js';
import { errors } from './errors.js';
import { type LimitRule, limits } from './limits.js';
import { operationTable } from './operation.js';

const errorRules: readonly [string, ErrorRule][] = Object.entries(errors);
const limitRules: readonly [string, LimitRule][] = Object.entries(limits);

describe('the table of operations', () => {
  it('has every operation of the spec, with its method, path and statuses, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => {
        return [operationId, method.toUpperCase(), path, Object.keys(responses).map(Number)];
      }),
    );
    const listed = Object.values(operationTable).map(({ id, method, path, statuses }) => [
      id,
      method,
      path,
      [...statuses],
    ]);
    expect(listed).toEqual(described);
    expect(listed).toHaveLength(21);
  });

  it('checks every JSON body, every id in a path, and every answer that has a body', () => {
    for (const operation of Object.values(operationTable)) {
      if (operation.consumes.includes('application/json')) expect(operation.body).toBeDefined();
      expect(operation.params !== undefined).toBe(operation.path.includes('{'));
      expect(operation.notFound !== null).toBe(operation.path.includes('{'));
      expect(operation.responses[operation.status] !== undefined).toBe(operation.status !== 204);
      for (const status of operation.statuses) if (status >= 400) expect(operation.responses[status]).toBeDefined();
    }
  });
});

describe('the error table', () => {
  it.each(errorRules)('%s: says when to send the request again', (_, rule) => {
    const again = rule.status >= 500 || rule.status === 408 || rule.status === 429;
    if (again) expect(['after_wait', 'later']).toContain(rule.retry);
    if (rule.waits) expect([409, 429, 529]).toContain(rule.status);
    if (rule.status === 429 || rule.status === 529) expect(rule.waits).toBe(true);
    expect(rule.message).toMatch(/\.$/);
    expect(rule.message).toMatch(/^[ -~]+$/);
  });
});

describe('the limits', () => {
  it.each(limitRules)('%s: is answered as its error says', (_, rule) => {
    const table: Readonly<Record<string, ErrorRule>> = errors;
    const expected =
      rule.error === 'question_limit' ? 400 : rule.error === 'validation' ? 422 : table[rule.error]?.status;
    expect(rule.status).toBe(expected);
    expect(rule.value).toBeGreaterThan(0);
    expect(rule.message(rule.value + 1).length).toBeGreaterThan(10);
  });

  it('holds the figures of the document', () => {
    const figures = Object.fromEntries(limitRules.map(([name, { value }]) => [name, value]));
    expect(figures).toMatchObject({
      requestTokens: 65_536,
      choiceOptions: 255,
      scoreLevels: 10,
      numberValues: 256,
      numberStep: 1,
      images: 16,
      collections: 8,
      jsonBody: 26_214_400,
      batchUpload: 256_000_000,
      batchAdd: 10_485_760,
      batchRequests: 10_000,
      customId: 512,
      activeBatches: 10,
      activeRequests: 100_000,
      pageEntries: 1000,
      frameTokens: 4096,
      sessionSeconds: 3600,
      imageId: 64,
      idempotencyKey: 255,
      workspaceItems: 1_000_000,
      facesReadable: 1024,
    });
  });
});
