import { check } from '../check.js';
import { claim, list, names, number, object, refusal, same, shown, status, text } from '../claims.js';
import { TIMESTAMP } from './samples.js';

/** The document's limits, under the names that the model list publishes them by. */
const LIMITS = {
  request_tokens: 65_536,
  choice_options: 255,
  score_levels: 10,
  number_values: 256,
  images: 16,
  collections: 8,
};
const BATCH = {
  price_factor: 0.5,
  requests: 10_000,
  upload_bytes: 256_000_000,
  add_bytes: 10_485_760,
  active_batches: 10,
  active_requests: 100_000,
};
const SESSION = { frame_tokens: 4096, window_default: 8, ttl_seconds_default: 300, ttl_seconds_max: 3600 };
const ENTRY = ['id', 'aliases', 'created_at', 'price', 'limits', 'session', 'batch', 'rate_limit', 'calibration'];

function publishes(published: unknown, expected: { readonly [name: string]: number }, what: string): void {
  const found = object(published, what);
  for (const [name, value] of Object.entries(expected)) same(found[name], value, `${what}.${name}`);
}

export const models = [
  check(
    'contract: Models',
    '`GET /v1/models` → `{"models": [...], "aliases": {alias: id}, "next_offset": null}`',
    async (probe) => {
      const reply = await probe.service.call({ path: '/v1/models' });
      status(reply, 200);
      const body = object(reply.json, 'the body');
      names(body, ['models', 'aliases', 'next_offset'], 'the body');
      same(body['next_offset'], null, 'next_offset');
      const ids = list(body['models'], 'models').map((entry) => object(entry, 'a model')['id']);
      claim(ids.length > 0, 'no model is listed');
      for (const [alias, id] of Object.entries(object(body['aliases'], 'aliases')))
        claim(ids.includes(id), `the alias ${alias} points to ${shown(id)}, which is not listed`);
    },
  ),

  check(
    'contract: Models',
    'an entry has `id`, `aliases`, `created_at`, `price` (`input_usd_per_million_tokens`), `limits`, `session` (limits, sessions per key), `batch` (limits, `price_factor`), `rate_limit` (`requests_per_minute`), `calibration`',
    async (probe) => {
      for (const { entry, id } of await probe.models()) {
        names(entry, ENTRY, `the entry of ${id}`);
        claim(TIMESTAMP.test(text(entry['created_at'], 'created_at')), `created_at is ${shown(entry['created_at'])}`);
        claim(
          number(object(entry['price'], 'price')['input_usd_per_million_tokens'], 'the price') >= 0,
          'the price is negative',
        );
        for (const [type, figure] of Object.entries(object(entry['calibration'], 'calibration')))
          names(object(figure, type), ['error', 'labels', 'set'], `calibration.${type}`);
      }
    },
  ),

  check(
    'GET /v1/models',
    'Lists the models the key can send, with their limits, session limits (sessions per key) and batch prices.',
    async (probe) => {
      for (const { entry } of await probe.models()) {
        publishes(entry['limits'], LIMITS, 'limits');
        publishes(entry['session'], SESSION, 'session');
        claim(
          number(object(entry['session'], 'session')['sessions_per_key'], 'sessions_per_key') >= 0,
          'sessions_per_key is negative',
        );
      }
    },
  ),

  check('GET /v1/models', 'Each entry publishes its batch limits in a `batch` object.', async (probe) => {
    for (const { entry } of await probe.models()) publishes(entry['batch'], BATCH, 'batch');
  }),

  check(
    'Conventions',
    'Paging on list endpoints: query `offset` and `limit`; the response carries `next_offset` (integer, `null` on the last page).',
    async (probe) => {
      const all = (await probe.models()).map(({ id }) => id);
      const paged: unknown[] = [];
      let offset: unknown = 0;
      while (offset !== null) {
        const reply = await probe.service.call({ path: `/v1/models?offset=${String(offset)}&limit=1` });
        status(reply, 200);
        const body = object(reply.json, 'the body');
        const page = list(body['models'], 'models');
        claim(page.length === 1, `a page of 1 has ${page.length} entries`);
        paged.push(...page.map((entry) => object(entry, 'a model')['id']));
        offset = body['next_offset'];
        claim(paged.length <= all.length, 'paging does not end');
      }
      same(paged, all, 'the ids of all pages');
      const beyond = await probe.service.call({ path: '/v1/models?offset=1000000' });
      status(beyond, 200);
      same(
        [object(beyond.json, 'the body')['models'], object(beyond.json, 'the body')['next_offset']],
        [[], null],
        'the page beyond the last',
      );
    },
  ),

  check(
    'Statuses',
    '400 `api_usage_error`: a limit crossed, unknown model (`Unknown model: <name>`), bad image (undecodable, unsupported type, over size), unreadable query value, malformed `Idempotency-Key`',
    async (probe) => {
      for (const query of [
        'offset=-1',
        'offset=x',
        'offset=1.5',
        'limit=0',
        'limit=x',
        'limit=1000000',
        'offset=1&offset=2',
      ])
        refusal(await probe.service.call({ path: `/v1/models?${query}` }), 400, 'api_usage_error');
    },
  ),

  check(
    'Conventions',
    'Timestamps are ISO 8601 strings in UTC (shape `<timestamp>`, e.g. with a trailing Z).',
    async (probe) => {
      for (const { entry } of await probe.models())
        claim(TIMESTAMP.test(text(entry['created_at'], 'created_at')), `created_at is ${shown(entry['created_at'])}`);
    },
  ),
];
