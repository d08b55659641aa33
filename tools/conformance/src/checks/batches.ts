import { check, unseen } from '../check.js';
import { claim, list, names, number, object, refusal, same, shown, status, text } from '../claims.js';
import type { Probe } from '../probe.js';
import type { JsonObject, Reply } from '../wire/reply.js';
import { NUMBER, STATE, TIMESTAMP, TRUTH } from './samples.js';
import { served } from './served.js';

const LINES = 'application/x-ndjson';
const BATCH_ID = /^batch_[0-9A-Za-z]{10}$/;
const FIELDS = [
  'id',
  'state',
  'counters',
  'created_at',
  'finalized_at',
  'expires_at',
  'ended_at',
  'results_url',
  'results_expire_at',
  'price_factor',
  'usage',
  'error',
];
const ENDED_COUNTERS = ['queued', 'in_progress', 'completed', 'failed', 'expired', 'cancelled'];
const COUNTERS = ['requests', ...ENDED_COUNTERS];
const HOUR_MS = 3600 * 1000;
const ADD_BYTES = 10 * 1024 * 1024;
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

const line = (customId: unknown, body: unknown): string => JSON.stringify({ custom_id: customId, body });

const create = (probe: Probe, lines: readonly string[]): Promise<Reply> =>
  probe.service.call({ path: '/v1/batches', body: lines.join('\n'), headers: { 'content-type': LINES } }).then(served);

const act = (probe: Probe, id: string, action: 'finalize' | 'cancel'): Promise<Reply> =>
  probe.service.call({ method: 'POST', path: `/v1/batches/${id}/${action}` });

const add = (probe: Probe, id: string, body: string): Promise<Reply> =>
  probe.service.call({ path: `/v1/batches/${id}/requests`, body, headers: { 'content-type': LINES } });

const results = (probe: Probe, id: string, query = ''): Promise<Reply> =>
  probe.service.call({ path: `/v1/batches/${id}/results${query}` });

const bodyOf = async (probe: Probe, more: object = {}) => ({
  model: (await probe.model()).id,
  state: STATE,
  questions: { q: TRUTH },
  ...more,
});

/** A batch object with every field, and counters that add up unless it is a draft. */
function batchOf(reply: Reply, expected = 200): JsonObject {
  status(reply, expected);
  const batch = object(reply.json, 'the batch');
  names(batch, FIELDS, 'the batch');
  const counters = object(batch['counters'], 'counters');
  names(counters, COUNTERS, 'counters');
  const sum = ENDED_COUNTERS.reduce((total, name) => total + number(counters[name], name), 0);
  if (batch['state'] !== 'draft') same(sum, counters['requests'], 'the sum of the counters');
  return batch;
}

const idOf = (batch: JsonObject): string => text(batch['id'], 'id');

/** A draft for the length of a check: the key has room for few, so it is cancelled whatever the check finds. */
async function withDraft(probe: Probe, lines: readonly string[], look: (draft: JsonObject) => Promise<void>) {
  const draft = batchOf(await create(probe, lines), 201);
  try {
    await look(draft);
  } finally {
    await act(probe, idOf(draft), 'cancel');
  }
}

async function ended(probe: Probe, id: string): Promise<JsonObject> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const batch = batchOf(await probe.service.call({ path: `/v1/batches/${id}` }));
    if (batch['ended_at'] !== null) return batch;
    claim(Date.now() < until, `the batch is still ${shown(batch['state'])} after two minutes`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function run(probe: Probe, lines: readonly string[]): Promise<JsonObject> {
  const id = idOf(batchOf(await create(probe, lines), 201));
  batchOf(await act(probe, id, 'finalize'));
  return ended(probe, id);
}

const linesOf = (reply: Reply): JsonObject[] => {
  status(reply, 200);
  return reply.text
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => object(JSON.parse(each) as unknown, 'a result line'));
};

const milliseconds = (value: unknown, what: string): number => {
  claim(TIMESTAMP.test(text(value, what)), `${what} is ${shown(value)}`);
  return Date.parse(text(value, what));
};

export const batches = [
  check(
    'Batch',
    'create batch | valid upload | `draft` | `finalized_at`, `expires_at` null; nothing runs, nothing billed',
    (probe) =>
      bodyOf(probe).then((body) =>
        withDraft(probe, [line('a', body)], async (draft) => {
          claim(BATCH_ID.test(idOf(draft)), `the id is ${shown(draft['id'])}`);
          same(
            [
              'state',
              'finalized_at',
              'expires_at',
              'ended_at',
              'results_url',
              'results_expire_at',
              'price_factor',
              'error',
            ].map((name) => draft[name]),
            ['draft', null, null, null, null, null, 0.5, null],
            'the draft',
          );
          const counters = object(draft['counters'], 'counters');
          same([counters['requests'], counters['queued']], [1, 0], 'the counters of a draft');
          same(draft['usage'], { input_tokens: 0, output_tokens: 0 }, 'usage');
          milliseconds(draft['created_at'], 'created_at');
        }),
      ),
  ),

  check('Batch', '`draft` | add requests | within limits | `draft` | requests appended', async (probe) => {
    const body = await bodyOf(probe);
    await withDraft(probe, [line('a', body)], async (draft) => {
      const array = `[${line('b', body)},${line('c', body)}]`;
      const path = `/v1/batches/${idOf(draft)}/requests`;
      const added = batchOf(await probe.service.call({ path, body: array }));
      same(object(added['counters'], 'counters')['requests'], 3, 'counters.requests');
    });
  }),

  check(
    'Batch result line',
    'lines come in upload order; `custom_id` values come back exactly as sent; each names the pinned version',
    async (probe) => {
      const ids = ['z', '__proto__', '10', '9', 'ü 漢 "\\', 'a'];
      const body = await bodyOf(probe, { questions: { q: TRUTH, n: NUMBER } });
      const batch = await run(
        probe,
        ids.map((id) => line(id, body)),
      );
      same(batch['state'], 'completed', 'state');
      const found = linesOf(await results(probe, idOf(batch)));
      same(
        found.map((each) => each['custom_id']),
        ids,
        'the ids',
      );
      let tokens = 0;
      for (const each of found) {
        names(each, ['custom_id', 'status', 'body', 'headers'], 'a result line');
        same(each['status'], 200, 'status');
        const headers = object(each['headers'], 'headers');
        same(headers['x-service-model'], (await probe.model()).id, 'x-service-model');
        claim(typeof headers['x-request-id'] === 'string', 'a line has no x-request-id');
        const usage = object(object(each['body'], 'body')['usage'], 'usage');
        tokens += number(usage['input_tokens'], 'input_tokens');
      }
      same(batch['usage'], { input_tokens: tokens, output_tokens: 0 }, 'usage of the batch');
      const [made, expires] = [
        milliseconds(batch['finalized_at'], 'finalized_at'),
        milliseconds(batch['expires_at'], 'expires_at'),
      ];
      same(expires - made, 24 * HOUR_MS, 'the time to the cut-off in ms');
      const end = milliseconds(batch['ended_at'], 'ended_at');
      same(
        milliseconds(batch['results_expire_at'], 'results_expire_at') - end,
        7 * 24 * HOUR_MS,
        'the life of the results in ms',
      );
      claim(
        text(batch['results_url'], 'results_url').endsWith(`/v1/batches/${idOf(batch)}/results`),
        'results_url leads elsewhere',
      );
    },
  ),

  check(
    'GET /v1/batches/{id}/results',
    'the answers in a line equal what the live call returns for the same body',
    async (probe) => {
      const bodies = [
        await bodyOf(probe),
        await bodyOf(probe, { questions: { q: { type: 'choice', criteria: { 10: null, 9: 'nine', b: null } } } }),
        await bodyOf(probe, { critera: 1 }),
        await bodyOf(probe, { model: 'no-such-model' }),
        await bodyOf(probe, { questions: { q: { type: 'number', min: 0, max: 300 } } }),
      ];
      const batch = await run(
        probe,
        bodies.map((body, at) => line(`${at}`, body)),
      );
      const file = (await results(probe, idOf(batch))).text.split('\n');
      const found = file
        .filter((each) => each !== '')
        .map((each) => object(JSON.parse(each) as unknown, 'a result line'));
      for (const [at, body] of bodies.entries()) {
        const live = await probe.service.call({ path: '/v1/decide', json: body });
        same(found[at]?.['status'], live.status, `the status of line ${at}`);
        claim(file[at]?.includes(`"body":${live.text}`) ?? false, `line ${at} has another body than the live answer`);
      }
      same(object(batch['counters'], 'counters')['failed'], 3, 'counters.failed');
    },
  ),

  check(
    'GET /v1/batches/{id}/results',
    'Page object: `results`, `offset`, `limit`, `total`, `next_offset`',
    async (probe) => {
      const body = await bodyOf(probe);
      const batch = await run(
        probe,
        ['a', 'b', 'c'].map((id) => line(id, body)),
      );
      const first = object((await results(probe, idOf(batch), '?format=json&limit=2')).json, 'the page');
      names(first, ['results', 'offset', 'limit', 'total', 'next_offset'], 'the page');
      same(
        [list(first['results'], 'results').length, first['total'], first['next_offset']],
        [2, 3, 2],
        'the first page',
      );
      const last = object((await results(probe, idOf(batch), '?format=json&offset=2')).json, 'the page');
      same(
        [list(last['results'], 'results').length, last['limit'], last['next_offset']],
        [1, 1000, null],
        'the last page',
      );
      for (const query of ['?format=csv', '?format=json&offset=-1', '?format=json&limit=0', '?format=json&limit=1001'])
        refusal(await results(probe, idOf(batch), query), 400, 'api_usage_error');
    },
  ),

  check('GET /v1/batches/{id}/results', '409 `results_not_ready` (batch not ended)', async (probe) =>
    withDraft(probe, [line('a', await bodyOf(probe))], async (draft) => {
      refusal(await results(probe, idOf(draft)), 409, 'results_not_ready');
    }),
  ),

  check('Batch', '`draft` | cancel | `cancelled`; never-run lines have body null and no headers', async (probe) => {
    const draft = batchOf(await create(probe, [line('a', await bodyOf(probe))]), 201);
    const cancelled = batchOf(await act(probe, idOf(draft), 'cancel'));
    same([cancelled['state'], object(cancelled['counters'], 'counters')['cancelled']], ['cancelled', 1], 'the batch');
    same(
      linesOf(await results(probe, idOf(draft))),
      [{ custom_id: 'a', status: 'cancelled', body: null, headers: {} }],
      'the results',
    );
  }),

  check(
    'contract: Batches',
    'A line that is not JSON, or has no usable `custom_id`, refuses the whole call (400 `api_usage_error`, the message names the line)',
    async (probe) => {
      const good = line('a', await bodyOf(probe));
      for (const bad of ['{', '[]', line(1, {}), line('', {}), line('x'.repeat(513), {}), good]) {
        const detail = refusal(await create(probe, [good, bad]), 400, 'api_usage_error');
        claim(
          text(detail['message'], 'message').includes('2'),
          `the message does not name line 2: ${shown(detail['message'])}`,
        );
      }
    },
  ),

  check('Limits', 'Requests per batch | 10,000 | 400 `api_usage_error`, nothing added', async (probe) => {
    const many = Array.from({ length: 10_001 }, (_, at) => line(`${at}`, {}));
    refusal(await create(probe, many), 400, 'api_usage_error');
  }),

  check('Limits', 'One add call | 10 MiB | 413 `request_too_large_error`', async (probe) =>
    withDraft(probe, [line('a', await bodyOf(probe))], async (draft) => {
      refusal(await add(probe, idOf(draft), line('b', 'x '.repeat(ADD_BYTES / 2))), 413, 'request_too_large_error');
    }),
  ),

  check('Authentication', 'Batches belong to the key that created them; another key gets 404', async (probe) => {
    const other = probe.with('other');
    await withDraft(probe, [line('a', await bodyOf(probe))], async (draft) => {
      const path = `/v1/batches/${idOf(draft)}`;
      refusal(await other.call({ path }), 404, 'not_found_error');
      refusal(await other.call({ path: `${path}/results` }), 404, 'not_found_error');
      for (const action of ['finalize', 'cancel'])
        refusal(await other.call({ method: 'POST', path: `${path}/${action}` }), 404, 'not_found_error');
    });
  }),

  check(
    'Batch endpoints',
    "`GET /v1/batches` lists the key's batches, newest first; takes `offset` and `limit`, returns `next_offset`",
    async (probe) => {
      const body = await bodyOf(probe);
      await withDraft(probe, [line('a', body)], (older) =>
        withDraft(probe, [line('a', body)], async (newer) => {
          const page = object((await probe.service.call({ path: '/v1/batches?limit=2' })).json, 'the page');
          names(page, ['batches', 'next_offset'], 'the page');
          const found = list(page['batches'], 'batches').map((each) => idOf(object(each, 'a batch')));
          same(found, [idOf(newer), idOf(older)], 'the newest two');
        }),
      );
    },
  ),

  unseen(
    'Batch',
    '`queued`, `running` | 24 hours after finalize with requests unfinished | `expired`',
    'it takes a day',
  ),
  unseen('Limits', 'Batch results retention | 7 days after the batch ends | 410 `results_expired`', 'it takes a week'),
];
