import { type OperationId, openapiDocument, operationTable } from '@assay/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type Schema, spoilt, valuesOf } from './arbitrary.js';
import { type Received, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

const SEED = 20261120;
/** Requests per operation with a JSON body, half of them spoilt; decide gets the lion's share. */
const RUNS: Partial<Record<OperationId, number>> = { decide: 1_600, openSession: 800 };
const RUNS_ELSE = 440;
const RUNS_WITHOUT_BODY = 60;
/** Sent side by side: most of a request is waiting. */
const AT_ONCE = 8;

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema & { discriminator?: { mapping?: unknown } }> };
}

const document = structuredClone(openapiDocument) as Document;
// ajv takes a discriminator without its mapping only.
for (const { discriminator } of Object.values(document.components.schemas)) delete discriminator?.mapping;
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'contract', ...document });
const resolve = (ref: string): Schema => document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)]!;

const bodySchema = (id: OperationId): Schema | undefined => {
  const { method, path, streamed } = operationTable[id];
  return streamed
    ? undefined
    : document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
};

function oracle(schema: Schema): ValidateFunction {
  const known = schema.$ref && ajv.getSchema(`contract${schema.$ref}`);
  return known || ajv.compile(schema);
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

let requests = 0;

/** What must hold of every answer, whatever was sent. */
function expectContract(id: OperationId, answer: Received): void {
  const { statuses, responses, status: success } = operationTable[id];
  const context = `${id} answered ${answer.status}: ${answer.text.slice(0, 300)}`;
  if (!statuses.includes(answer.status) || answer.status === 500) throw new Error(`undocumented: ${context}`);
  const problem = responses[answer.status]?.safeParse(answer.body).error;
  if (problem && !(answer.status === success && answer.body === undefined))
    throw new Error(`off schema: ${context} ${problem.message}`);
  if (!/^req_[0-9a-f]{32}$/.test(answer.headers.get('x-request-id') ?? ''))
    throw new Error(`no request id: ${context}`);
  requests += 1;
}

const only422ByRule = ({ body }: Received): boolean =>
  (body as { detail: { type: string }[] }).detail.every(({ type }) => type === 'value_error');

describe.each(Object.keys(operationTable) as OperationId[])('%s', (id) => {
  const schema = bodySchema(id);
  if (schema) {
    test('refuses with 422 what breaks the schema, and nothing else', async () => {
      const accepts = oracle(schema);
      const bodies = fc.oneof(valuesOf(schema, resolve), spoilt(valuesOf(schema, resolve)));
      const check = async (body: unknown) => {
        const text = JSON.stringify(body) ?? 'null';
        const answer = await send(service.url, id, { key: service.key, body: text });
        expectContract(id, answer);
        const right = accepts(JSON.parse(text));
        // Rules that a schema cannot say (`min` at or below `max`, a flat metadata's digits) are `value_error`s.
        if (right && answer.status === 422 && !only422ByRule(answer))
          throw new Error(`refused though right: ${answer.text}`);
        if (!right && ![422, 404].includes(answer.status))
          throw new Error(`${answer.status} though wrong: ${text.slice(0, 300)}`);
      };
      const together = fc.array(bodies, { minLength: AT_ONCE, maxLength: AT_ONCE });
      const property = fc.asyncProperty(together, async (several) => {
        await Promise.all(several.map(check));
      });
      await fc.assert(property, { seed: SEED, numRuns: (RUNS[id] ?? RUNS_ELSE) / AT_ONCE, endOnFailure: true });
    });
  }

  test('answers any query and any id as documented', async () => {
    const value = fc.oneof(
      fc.integer().map(String),
      fc.constantFrom('', '1.5', '1e3', '0x10', ' 5', 'NaN', 'null', '9007199254740993'),
      fc.string(),
    );
    const names = fc.constantFrom('offset', 'limit', 'format', 'reference', 'other');
    const query = fc.array(fc.tuple(names, value), { maxLength: 3 });
    const ids = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text.isWellFormed()),
      fc.constantFrom('..', '%', '\u0000', '__proto__'),
    );
    const property = fc.asyncProperty(query, ids, ids, async (pairs, first, second) => {
      const params = { id: first.replace(/^\.+$/, 'dots'), item_id: second.replace(/^\.+$/, 'dots') };
      expectContract(
        id,
        await send(service.url, id, {
          key: service.key,
          params,
          query: new URLSearchParams(pairs).toString(),
          body: '{}',
        }),
      );
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS_WITHOUT_BODY, endOnFailure: true });
  });
});

test('at least 5,000 requests were sent, and none was a fault', () => {
  expect(requests).toBeGreaterThanOrEqual(5_000);
  expect(service.logged.filter((line) => line.includes('"message":"fault"'))).toEqual([]);
});
