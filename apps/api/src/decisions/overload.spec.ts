import type { ClientRequest } from 'node:http';
import { decision, errorType, type Sent, send } from '../walks/requests.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { begun, metric, until } from './testing/raw-call.js';

/** Nearly the most that one call may have: four fit into the engine, and a fifth not before one of them is nearly done. */
const LONG = decision({ state: 'a '.repeat(64_000) });
const CALLS = 8;

let service: TestService;
let limited: TestService;
let brokeKey: string;
let slowKey: string;
let busyKeys: string[];
let busyWorkspace: string;
beforeAll(async () => {
  service = await startTestService();
  limited = await startTestService({ ASSAY_REQUESTS_PER_MINUTE: '1' }, service);
  brokeKey = await service.newKey(await service.newWorkspace('prepaid'));
  slowKey = await service.newKey(service.workspaceId);
  busyWorkspace = await service.newWorkspace('unlimited');
  busyKeys = await Promise.all(Array.from({ length: CALLS }, () => service.newKey(busyWorkspace)));
});
afterAll(async () => {
  await limited.close();
  await service.close();
});

const refusals = () => metric(limited.url, 'assay_engine_refused_total', 'reason="queue"');
const queued = () => metric(limited.url, 'assay_engine_queued_tokens');
const ledger = async () =>
  (await service.database.source.query('SELECT FROM ledger_entries WHERE workspace_id = $1', [busyWorkspace])).length;

/** Does something while the engine is full, and empties it again by hanging up. */
async function whileFull(act: () => Promise<void>): Promise<void> {
  const before = await refusals();
  const calls: ClientRequest[] = [];
  try {
    for (const key of busyKeys) calls.push(await begun(limited.url, key, LONG));
    await until(async () => (await refusals()) > before);
    await act();
  } finally {
    for (const call of calls) call.destroy();
  }
}

test('what does not fit is refused with when to come back, everything wrong with the call comes first, and later it is answered', async () => {
  // One call a minute: this was its only one.
  expect((await send(limited.url, 'decide', { key: slowKey, body: decision() })).status).toBe(200);
  await whileFull(async () => {
    expect(await queued()).toBeGreaterThan(180_000);
    const refused = await send(limited.url, 'decide', { key: service.key, body: LONG });
    expect([refused.status, errorType(refused)]).toEqual([529, 'overloaded_error']);
    const waitMs = Number(refused.headers.get('retry-after-ms'));
    expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(waitMs / 1_000));
    expect(waitMs).toBeGreaterThanOrEqual(1_000);

    const wrongToo: [Sent, number][] = [
      [{}, 401],
      [{ key: service.suspendedKey }, 403],
      [{ key: service.key, body: '{' }, 422],
      [{ key: service.key, body: decision({ model: 'none' }) }, 400],
      [{ key: brokeKey }, 402],
      [{ key: slowKey }, 429],
    ];
    for (const [sent, status] of wrongToo)
      expect((await send(limited.url, 'decide', { body: LONG, ...sent })).status).toBe(status);
  });

  await until(async () => (await metric(limited.url, 'assay_http_requests_in_flight')) === 1);
  const again = await send(limited.url, 'decide', { key: service.otherKey, body: decision() });
  expect(again.status).toBe(200);
  expect(await ledger()).toBe(0);
  const statuses = limited.logged.flatMap((line) => (JSON.parse(line) as { status?: number }).status ?? []);
  expect(statuses.filter((status) => status >= 500 && status !== 529)).toEqual([]);
});
