import { errors } from '../errors.js';
import { operationTable } from '../operation.js';
import { document, operationObjects, type ResponseObject, responseOf, type Schema, schemas } from './document.js';
import { conforms, faults } from './oracle.js';

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Every schema written out inside another, with where it stands. */
function* within(schema: Schema, where: string): Generator<[string, Schema]> {
  yield [where, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* within(property, `${where}.${name}`);
  for (const keyword of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const child = schema[keyword];
    if (isSchema(child)) yield* within(child, `${where}/${keyword}`);
  }
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    for (const [index, branch] of (schema[keyword] ?? []).entries()) {
      if (!('required' in branch) || branch.type) yield* within(branch, `${where}/${keyword}/${index}`);
    }
  }
}

const written = Object.entries(schemas).flatMap(([name, schema]) =>
  [...within(schema, name)].filter(([, each]) => !each.$ref),
);

const has = (schema: Schema, ...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined);

/** What is missing to bound the size of the values of a type. */
function unbounded(schema: Schema): string[] {
  if (has(schema, 'const', 'enum', 'oneOf', 'anyOf') && !has(schema, 'properties')) return [];
  return [schema.type ?? []].flat().flatMap((type) => {
    switch (type) {
      case 'string':
        return has(schema, 'maxLength') ? [] : ['maxLength'];
      case 'number':
      case 'integer':
        return [
          ...(has(schema, 'minimum', 'exclusiveMinimum') ? [] : ['minimum']),
          ...(has(schema, 'maximum', 'exclusiveMaximum') ? [] : ['maximum']),
        ];
      case 'array':
        return has(schema, 'maxItems') ? [] : ['maxItems'];
      case 'object':
        return schema.additionalProperties === false || has(schema, 'maxProperties') ? [] : ['maxProperties'];
      default:
        return [];
    }
  });
}

describe('every schema', () => {
  it('is there', () => {
    expect(Object.keys(schemas).length).toBeGreaterThan(90);
    expect(written.length).toBeGreaterThan(250);
  });

  it('and every field has a description', () => {
    expect(written.filter(([, schema]) => !schema.description).map(([where]) => where)).toEqual([]);
  });

  it('and every field has an example', () => {
    expect(written.filter(([, schema]) => !schema.examples?.length).map(([where]) => where)).toEqual([]);
  });

  it('and every field has bounds', () => {
    const open = written.flatMap(([where, schema]) => unbounded(schema).map((keyword) => `${where}: ${keyword}`));
    expect(open).toEqual([]);
  });

  it.each(Object.keys(schemas))('%s: its examples conform to it', (name) => {
    for (const example of schemas[name]?.examples ?? []) {
      expect([example, conforms(name, example), faults(name, example)]).toEqual([example, true, 'No errors']);
    }
  });

  it('refuses unknown fields where it names fields', () => {
    const lenient = written.filter(([, schema]) => schema.properties && schema.additionalProperties !== false);
    expect(lenient.map(([where]) => where)).toEqual([]);
  });
});

const responses = operationObjects.flatMap((operation) =>
  Object.entries(operation.responses).map(
    ([status, response]) => [operation.operationId, Number(status), responseOf(response)] as const,
  ),
);
const lacking = (of: (status: number, response: ResponseObject) => boolean) =>
  responses.filter(([, status, response]) => !of(status, response)).map(([id, status]) => `${id} ${status}`);

describe('every operation', () => {
  it.each(operationObjects.map((operation) => [operation.operationId, operation] as const))(
    '%s is whole',
    (id, operation) => {
      expect(operation.summary).toMatch(/\.$/);
      expect(operation.description.length).toBeGreaterThan(20);
      expect(['full', 'decisions']).toContain(operation['x-scope']);
      expect(['model', 'key']).toContain(operation['x-rate-limit']);
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses).toEqual(expect.arrayContaining([401, 403, 429, 500, 529]));
      // 206 is a part of what 200 is.
      expect(statuses.filter((status) => status < 300 && status !== 206)).toHaveLength(1);
      const { params, query, headers } = operationTable[id as keyof typeof operationTable];
      if (params) expect(statuses).toContain(404);
      if (query || headers) expect(statuses).toContain(400);
      if (operation.requestBody) {
        expect(operation['x-body-limit']).toBeGreaterThan(0);
        expect(statuses).toEqual(expect.arrayContaining([408, 413]));
        expect(statuses.includes(422)).toBe(!operation['x-streamed']);
      }
    },
  );

  it('asks for Full access exactly where faces are kept', () => {
    const full = operationObjects.filter((operation) => operation['x-scope'] === 'full').map(({ tags }) => tags[0]);
    expect([...new Set(full)].sort()).toEqual(['collections', 'items', 'search']);
    const forAll = operationObjects.filter((operation) => operation['x-scope'] !== 'full').map(({ tags }) => tags[0]);
    expect([...new Set(forAll)].sort()).toEqual(['batches', 'decide', 'models', 'sessions', 'uploads']);
  });

  it('carries the headers of its statuses', () => {
    const header =
      (...names: string[]) =>
      (response: ResponseObject) =>
        names.every((name) => name in (response.headers ?? {}));
    const [id, wait] = [header('x-request-id'), header('Retry-After', 'retry-after-ms')];
    const rate = header('x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset');
    expect(lacking((_, response) => id(response))).toEqual([]);
    expect(lacking((status, response) => (status !== 429 && status !== 529) || wait(response))).toEqual([]);
    expect(lacking((status, response) => (status >= 300 && status !== 429) || rate(response))).toEqual([]);
    const decide = document.paths['/v1/decide']?.['post']?.responses['200'];
    expect(header('x-service-model', 'x-service-safety')(decide!)).toBe(true);
  });

  it('gives each status only errors that the table gives that status', () => {
    const rules: Readonly<Record<string, { readonly status: number }>> = errors;
    const wrong = responses.flatMap(([id, status, response]) =>
      (response['x-error-types'] ?? [])
        .filter((type) => rules[type]?.status !== status)
        .map((type) => `${id} ${status} ${type}`),
    );
    expect(wrong).toEqual([]);
    expect(
      lacking((status, response) => status < 400 || status === 422 || !!response['x-error-types']?.length),
    ).toEqual([]);
  });

  it('and the stream between them give every error of the table', () => {
    const given = new Set(responses.flatMap(([, , response]) => response['x-error-types'] ?? []));
    const only = Object.keys(errors).filter((type) => !given.has(type));
    expect(only).toEqual(['stream_in_use', 'session_ended']);
  });

  it('shows errors that conform', () => {
    for (const response of Object.values(document.components.responses)) {
      const { schema, example } = response.content?.['application/json'] ?? {};
      const name = schema?.$ref?.split('/').at(-1) ?? '';
      expect([example, faults(name, example)]).toEqual([example, 'No errors']);
    }
  });
});
