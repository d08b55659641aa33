import { decision, send } from '../walks/requests.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { begun, metric, until } from './testing/raw-call.js';

const LEAVERS = 6;
const LONG = decision({ state: 'a '.repeat(40_000) });

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const steps = () => metric(service.url, 'assay_engine_step_milliseconds_count');
const aborted = () => metric(service.url, 'assay_engine_aborted_total', 'priority="live"');
const ledger = async (workspaceId: string) =>
  (await service.database.source.query('SELECT FROM ledger_entries WHERE workspace_id = $1', [workspaceId])).length;

async function stepsOf(body: string): Promise<number> {
  const before = await steps();
  expect((await send(service.url, 'decide', { key: service.key, body })).status).toBe(200);
  return (await steps()) - before;
}

test('callers that leave cost a step each at most: what was read for them stops, what waited is never begun', async () => {
  const whole = await stepsOf(LONG);
  expect(whole).toBeGreaterThan(100);
  const short = await stepsOf(decision());

  const workspaceId = await service.newWorkspace('unlimited');
  const key = await service.newKey(workspaceId);
  const before = await steps();
  const calls = await Promise.all(Array.from({ length: LEAVERS }, () => begun(service.url, key, LONG)));
  await until(async () => (await steps()) > before + 3);
  for (const call of calls) call.destroy();
  await until(async () => (await aborted()) === LEAVERS);

  const atTheEnd = await steps();
  expect(atTheEnd - before).toBeLessThan(whole);
  expect(await metric(service.url, 'assay_http_requests_in_flight')).toBe(1);
  // A call that comes now finds the engine free, and none of their work is done beside it.
  expect(await stepsOf(decision())).toBe(short);
  expect(await steps()).toBe(atTheEnd + short);
  expect(await ledger(workspaceId)).toBe(0);
});
