import { check, unseen } from '../check.js';
import { claim, number, object, refusal, same, shown, status, text } from '../claims.js';
import type { Probe } from '../probe.js';
import { CHOICE, levels, NUMBER, options, SCORE, STATE, TRUTH } from './samples.js';

const TOKENS = 65_536;
const BODY_BYTES = 26_214_400;

const asking = (question: object) => ({ state: STATE, questions: { q: question } });

async function tokensOf(probe: Probe, state: string): Promise<number> {
  const reply = await probe.decide({ state, questions: { q: TRUTH } });
  status(reply, 200);
  return number(object(object(reply.json, 'the body')['usage'], 'usage')['input_tokens'], 'input_tokens');
}

const words = (count: number) => 'a '.repeat(count);

/** The number of words whose request has about `tokens` tokens, by what two requests of known length were billed. */
async function wordsFor(probe: Probe, tokens: number): Promise<number> {
  const [few, many] = [await tokensOf(probe, words(1000)), await tokensOf(probe, words(3000))];
  const perWord = (many - few) / 2000;
  return Math.floor(1000 + (tokens - few) / perWord);
}

export const limits = [
  check('Limits', 'Options of a choice question: 255 | 400', async (probe) => {
    const most = await probe.answers(asking({ ...CHOICE, criteria: options(255) }));
    same(
      Object.keys(object(object(most['q'], 'q')['probabilities'], 'probabilities')).length,
      255,
      'the number of options answered',
    );
    status(await probe.decide(asking({ ...CHOICE, criteria: options(256) })), 400);
  }),

  check(
    '400 limit bodies',
    'more than 255 options: `detail` is a plain string saying too many choices, at most 255',
    async (probe) => {
      const reply = await probe.decide(asking({ ...CHOICE, criteria: options(256) }));
      status(reply, 400);
      const said = text(reply.detail, 'detail');
      claim(/too many choices/i.test(said) && said.includes('255'), `detail says ${shown(said)}`);
    },
  ),

  check('Limits', 'Score levels: 10 | 400', async (probe) => {
    const most = await probe.answers(asking({ ...SCORE, criteria: levels(10) }));
    same(
      Object.keys(object(object(most['q'], 'q')['probabilities'], 'probabilities')).length,
      10,
      'the number of levels answered',
    );
    status(await probe.decide(asking({ ...SCORE, criteria: levels(11) })), 400);
  }),

  check(
    '400 limit bodies',
    'more than 10 score levels: `detail` is a plain string saying too many score levels, at most 10',
    async (probe) => {
      const reply = await probe.decide(asking({ ...SCORE, criteria: levels(11) }));
      status(reply, 400);
      const said = text(reply.detail, 'detail');
      claim(/too many score levels/i.test(said) && said.includes('10'), `detail says ${shown(said)}`);
    },
  ),

  check('Limits', 'Number grid: 256 values, step at least 1 | 400 `api_usage_error`', async (probe) => {
    const most = await probe.answers(asking({ ...NUMBER, min: 0, max: 255 }));
    same(
      Object.keys(object(object(most['q'], 'q')['probabilities'], 'probabilities')).length,
      256,
      'the number of values answered',
    );
    const unserved = [
      { min: 0, max: 256 },
      { min: 0, max: 1, step: 0.5 },
      { min: 0, max: 1, step: 0 },
      { min: 0, max: 1, step: -1 },
      { min: 0, max: 1e15 },
    ];
    for (const grid of unserved) refusal(await probe.decide(asking({ ...NUMBER, ...grid })), 400, 'api_usage_error');
  }),

  check('Limits', 'Request size (tokens): 64k | 400 `max_tokens_exceeded`', async (probe) => {
    const fitting = await wordsFor(probe, TOKENS);
    refusalWithoutWords(await probe.decide({ state: words(fitting + 64), questions: { q: TRUTH } }));
    refusalWithoutWords(await probe.decide({ state: words(400_000), questions: { q: TRUTH } }));
    refusalWithoutWords(
      await probe.decide({ state: 'short', questions: { q: { type: 'truth', instructions: words(TOKENS + 1000) } } }),
    );
    const most = await tokensOf(probe, words(fitting - 64));
    claim(most <= TOKENS && most > TOKENS - 200, `the longest request that was tried was billed ${most} tokens`);
  }),

  check(
    '400 limit bodies',
    'over 64k tokens: `detail` = object with `error_type` `max_tokens_exceeded`',
    async (probe) => {
      refusalWithoutWords(await probe.decide({ state: words(200_000), questions: { q: TRUTH } }));
    },
  ),

  check('400 limit bodies', 'unknown model: `api_usage_error` with message `Unknown model: <name>`', async (probe) => {
    for (const name of ['no-such-model', 'Ünïcödé', '__proto__', 'constructor', 'a'.repeat(128)]) {
      const detail = refusal(await probe.decide({ model: name, ...asking(TRUTH) }), 400, 'api_usage_error');
      same(detail['message'], `Unknown model: ${name}`, 'message');
    }
  }),

  check(
    '400 limit bodies',
    'The same 400 repeats for the same request; a limit refusal is made before model work and nothing is charged.',
    async (probe) => {
      for (const question of [
        { ...CHOICE, criteria: options(256) },
        { ...NUMBER, max: 5000 },
      ]) {
        const [first, second] = [await probe.decide(asking(question)), await probe.decide(asking(question))];
        status(first, 400);
        same([second.status, second.text], [first.status, first.text], 'the second refusal');
      }
    },
  ),

  check(
    'Statuses',
    '413 `request_too_large_error`: body over 26,214,400 bytes (25 MiB) on collections; batch upload or add over limit',
    async (probe) => {
      const { id } = await probe.model();
      const body = JSON.stringify({ model: id, ...asking(TRUTH) });
      const padded = (bytes: number) => body + ' '.repeat(bytes - body.length);
      status(await probe.service.call({ path: '/v1/decide', body: padded(BODY_BYTES) }), 200);
      refusal(
        await probe.service.call({ path: '/v1/decide', body: padded(BODY_BYTES + 1) }),
        413,
        'request_too_large_error',
      );
    },
  ),

  check(
    'Errors',
    'A limit or a bad request is never reported as 5xx, so a 5xx is always safe to retry.',
    async (probe) => {
      const nasty = [
        asking({ ...NUMBER, min: -1e300, max: 1e300 }),
        asking({ ...NUMBER, min: 1e308, max: 1.5e308 }),
        asking({ ...CHOICE, criteria: options(5000) }),
        asking({ ...CHOICE, criteria: { ['x'.repeat(100_000)]: null } }),
        asking({ ...CHOICE, criteria: { a: 'word '.repeat(3000), b: null } }),
        asking({ ...TRUTH, instructions: 'word '.repeat(5000) }),
        { state: '\u0000\uffff\ud800', questions: { q: TRUTH } },
        { state: '[SEP] [CLS] [PAD] <s> </s>', questions: { q: TRUTH } },
        { state: nested(60), questions: { q: TRUTH } },
      ];
      for (const body of nasty) {
        const reply = await probe.decide(body);
        claim(reply.status < 500, `${shown(body)} got ${reply.status}`);
      }
      const deep = await probe.service.call({ path: '/v1/decide', body: `{"state":${'['.repeat(100_000)}` });
      status(deep, 422);
    },
  ),

  unseen('Statuses', "500 `api_error`: fault on the service's side", 'a fault cannot be asked for'),
  unseen('Statuses', '529 `overloaded_error`: no capacity', 'overload depends on timing'),
  unseen(
    'Statuses',
    '429 `rate_limit_error`: over request rate; batch calls count',
    'reaching the rate depends on timing',
  ),
  unseen(
    'Body shapes',
    '429 and 529 and 409 `idempotency_in_progress` carry `Retry-After` (seconds) and `retry-after-ms` (milliseconds).',
    'these answers depend on timing',
  ),
];

function refusalWithoutWords(reply: Parameters<typeof refusal>[0]): void {
  status(reply, 400);
  same(reply.detail, { error_type: 'max_tokens_exceeded' }, 'detail');
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
