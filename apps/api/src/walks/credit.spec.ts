import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import { decision, errorType, type Received, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

const CALLS = 500;
const PAID = 200;

let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await startTestService();
  second = await startTestService({}, first);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

/** A caller that comes back after a 529, as the contract asks. */
async function patiently(url: string, key: string): Promise<Received> {
  for (;;) {
    const answer = await send(url, 'decide', { key, body: decision() });
    if (answer.status !== 529) return answer;
    await new Promise((done) => setTimeout(done, Number(answer.headers.get('retry-after-ms'))));
  }
}

async function balance(workspaceId: string): Promise<bigint> {
  const rows = await first.database.source.query<{ balance: string }[]>(
    'SELECT balance_nano::text AS balance FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return BigInt(rows[0]?.balance ?? -1);
}

test.each([
  ['one process', () => [first]],
  ['two processes on one database', () => [first, second]],
])(`${CALLS} calls at once with credit for ${PAID}: exactly those are charged, with %s`, async (_, processes) => {
  const credit = new PostgresCreditStore(first.database.source);
  const services = processes();
  const priced = await send(first.url, 'decide', { key: first.key, body: decision() });
  const { input_tokens: tokens } = (priced.body as { usage: { input_tokens: number } }).usage;
  const workspaceId = await first.newWorkspace('prepaid');
  const key = await first.newKey(workspaceId);
  await credit.grant({
    workspaceId,
    kind: 'top_up',
    amountNano: BigInt(tokens) * 21n * BigInt(PAID),
    reference: 'top up',
  });

  const calls = Array.from({ length: CALLS }, (_, at) => patiently(services[at % services.length]!.url, key));
  const answers = await Promise.all(calls);

  const paid = answers.filter(({ status }) => status === 200);
  const refused = answers.filter((answer) => answer.status === 402 && errorType(answer) === 'insufficient_credit');
  expect([paid.length, refused.length]).toEqual([PAID, CALLS - PAID]);
  expect(await balance(workspaceId)).toBe(0n);
  expect(await credit.verify()).toEqual([]);
  const ids = paid.map(({ headers }) => headers.get('x-request-id'));
  const charged = await first.database.source.query<{ reference: string }[]>(
    `SELECT reference FROM ledger_entries WHERE workspace_id = $1 AND kind = 'decide'`,
    [workspaceId],
  );
  expect(charged.map(({ reference }) => reference).sort()).toEqual(ids.sort());
});

test('without credit, reads stay open', async () => {
  const key = await first.newKey(await first.newWorkspace('prepaid'));
  expect((await send(first.url, 'decide', { key, body: decision() })).status).toBe(402);
  expect((await send(first.url, 'listModels', { key })).status).toBe(200);
});
