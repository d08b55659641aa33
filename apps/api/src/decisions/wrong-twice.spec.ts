import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { decision, errorType, send } from '../walks/requests.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { unfinished } from './testing/raw-call.js';

/** The steps before the body has been read; the later ones are walked in `walks/precedence.spec.ts`. */
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ASSAY_BODY_TIMEOUT_SECONDS: '1' });
});
afterAll(() => service.close());

const TOO_LARGE = 26_214_401;
const statusOf = (answer: string) => Number(/^HTTP\/1.1 (\d{3}) /.exec(answer)?.[1]);

test('404 of the path before 401', async () => {
  const response = await fetch(`${service.url}/v1/decisions`, { method: 'POST', body: '{' });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: { error_type: 'not_found_error' } });
});

test('401 of a revoked key before 403 of its suspended workspace', async () => {
  const { source } = service.database;
  const workspaceId = await service.newWorkspace('unlimited');
  const key = await service.newKey(workspaceId);
  await new PostgresWorkspaceStore(source).update(workspaceId, { suspended: true });
  const suspended = await send(service.url, 'decide', { key, body: decision() });
  expect([suspended.status, errorType(suspended)]).toEqual([403, 'workspace_suspended']);
  await source.query('UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1', [workspaceId]);
  const revoked = await send(service.url, 'decide', { key, body: decision() });
  expect([revoked.status, errorType(revoked)]).toEqual([401, 'authentication_error']);
});

test.each<[string, () => [key: string, declared: number, begun: string], number]>([
  ['401 before 408', () => [service.revokedKey, 100, '{"model"'], 401],
  ['403 before 408', () => [service.suspendedKey, 100, '{"model"'], 403],
  ['403 before 413', () => [service.suspendedKey, TOO_LARGE, '{"model"'], 403],
  ['413 before 408', () => [service.key, TOO_LARGE, '{"model"'], 413],
  ['408 before 422', () => [service.key, 100, 'not JSON at all'], 408],
])('%s', async (_, call, status) => {
  expect(statusOf(await unfinished(service.url, ...call()))).toBe(status);
});
