import { type OperationId, operationTable } from '@assay/contract';
import { errorType, type Sent, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const operations = Object.values(operationTable);
const refused = async (id: OperationId, sent: Sent) => {
  const answer = await send(service.url, id, sent);
  const known = operationTable[id].responses[answer.status]?.safeParse(answer.body).success;
  return [answer.status, errorType(answer), known];
};

/** A key of the right shape and checksum that was never issued. */
const NEVER_ISSUED = 'asy_live_0000000000000000000000000000000000';

describe.each(operations.map(({ id }) => id))('%s', (id) => {
  const { scope, errors, notFound } = operationTable[id];
  // What is wrong with the key comes before what is wrong with the request.
  const request: Sent = { body: 'not json', query: 'limit=many&offset=-1' };

  test.each([
    ['no key', () => undefined],
    ['a key of another shape', () => 'sk_live_1234'],
    ['a mistyped key', () => `${service.key.slice(0, -1)}${service.key.endsWith('0') ? '1' : '0'}`],
    ['a key that was never issued', () => NEVER_ISSUED],
    ['a revoked key', () => service.revokedKey],
  ])('%s: 401', async (_, key) => {
    expect(await refused(id, { ...request, key: key() })).toEqual([401, 'authentication_error', true]);
  });

  test('a suspended workspace: 403', async () => {
    expect(await refused(id, { ...request, key: service.suspendedKey })).toEqual([403, 'workspace_suspended', true]);
  });

  if (scope === 'full') {
    test('a Decisions-only key: 403', async () => {
      expect(await refused(id, { ...request, key: service.decisionsKey })).toEqual([403, 'key_scope_denied', true]);
    });
  } else {
    test('a Decisions-only key is let in', async () => {
      expect([401, 403]).not.toContain((await send(service.url, id, { key: service.decisionsKey })).status);
    });
  }

  if (errors.includes('collections_region_unavailable')) {
    test('a workspace stored elsewhere: 403', async () => {
      const expected = [403, 'collections_region_unavailable', true];
      expect(await refused(id, { ...request, key: service.distantKey })).toEqual(expected);
    });
  }

  if (notFound) {
    test('an id that the key does not have: 404', async () => {
      expect(await refused(id, { key: service.otherKey, body: '{}' })).toEqual([404, notFound, true]);
    });
  }
});

test('a 401 names the scheme', async () => {
  const answer = await send(service.url, 'listModels');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test.each(['bearer', 'BEARER', 'Bearer '])('the scheme is read as "%s" too', async (scheme) => {
  const headers = { authorization: `${scheme} ${service.key}` };
  expect((await send(service.url, 'listModels', { headers })).status).toBe(200);
});

test('a key that is revoked stops at once', async () => {
  const key = await service.newKey(service.workspaceId);
  expect((await send(service.url, 'listModels', { key })).status).toBe(200);
  await service.database.source.query("UPDATE api_keys SET revoked_at = now() WHERE hint LIKE '%' || $1", [
    key.slice(-4),
  ]);
  expect((await send(service.url, 'listModels', { key })).status).toBe(401);
});
