import { check } from '../check.js';
import { claim, list, names, number, object, probability, rounded, same, shown, status, text } from '../claims.js';
import type { JsonObject } from '../wire/reply.js';
import { ALL_TYPES, CHOICE, NUMBER, SCORE, STATE, TRUTH } from './samples.js';

const answerOf = (answers: JsonObject, name: string): JsonObject => object(answers[name], `the answer to ${name}`);

/** Values that were rounded one by one may miss 1 by half a unit of the last place per entry. */
function addUp(probabilities: JsonObject, places: number): number[] {
  const values = Object.entries(probabilities).map(([name, value]) =>
    probability(value, places, `the probability of ${name}`),
  );
  const sum = values.reduce((total, value) => total + value, 0);
  const slack = (values.length * 0.5) / 10 ** places + 1e-9;
  claim(Math.abs(sum - 1) <= slack, `the probabilities add up to ${sum}`);
  return values;
}

/** The winner was chosen before rounding, so nothing may be shown as more probable. */
function winner(answer: JsonObject, chosen: string, places: number): void {
  const probabilities = object(answer['probabilities'], 'probabilities');
  const values = addUp(probabilities, places);
  const held = number(probabilities[chosen], `the probability of ${chosen}`);
  same(held, Math.max(...values), `the probability of the winner ${chosen}`);
  const confidence = probability(answer['confidence'], 2, 'confidence');
  claim(Math.abs(confidence - held) <= 0.01 + 1e-9, `confidence ${confidence} is not the winner's probability ${held}`);
}

export const decide = [
  check(
    'Answers',
    '`choice`: `type`, `choice` (one of the options), `confidence` (number), `probabilities` (object option to number)',
    async (probe) => {
      const answer = answerOf(await probe.answers({ state: STATE, questions: { q: CHOICE } }), 'q');
      names(answer, ['type', 'choice', 'confidence', 'probabilities'], 'the answer');
      same(answer['type'], 'choice', 'type');
      names(object(answer['probabilities'], 'probabilities'), Object.keys(CHOICE.criteria), 'probabilities');
      winner(answer, text(answer['choice'], 'choice'), 2);
    },
  ),

  check('Answers', '`truth`: `type`, `truth` (number)', async (probe) => {
    const answer = answerOf(await probe.answers({ state: STATE, questions: { q: TRUTH } }), 'q');
    names(answer, ['type', 'truth'], 'the answer');
    same(answer['type'], 'truth', 'type');
    probability(answer['truth'], 2, 'truth');
  }),

  check(
    'contract: Decide',
    '`score`: probability-weighted mean level; `level`: the most probable; `confidence`; `probabilities`',
    async (probe) => {
      const answer = answerOf(await probe.answers({ state: STATE, questions: { q: SCORE } }), 'q');
      names(answer, ['type', 'score', 'level', 'confidence', 'probabilities'], 'the answer');
      same(answer['type'], 'score', 'type');
      winner(answer, String(number(answer['level'], 'level')), 2);
      const probabilities = object(answer['probabilities'], 'probabilities');
      names(probabilities, ['1', '2', '3'], 'probabilities');
      const score = number(answer['score'], 'score');
      rounded(score, 2, 'score');
      const mean = Object.entries(probabilities).reduce(
        (sum, [level, value]) => sum + Number(level) * number(value, level),
        0,
      );
      claim(Math.abs(score - mean) <= 0.035, `score ${score} is not the weighted mean ${mean} of the levels`);
    },
  ),

  check('contract: Decide', '2 to 10 levels; absent = levels 1 to 5', async (probe) => {
    const answer = answerOf(
      await probe.answers({ state: STATE, questions: { q: { type: 'score', instructions: 'How urgent?' } } }),
      'q',
    );
    names(object(answer['probabilities'], 'probabilities'), ['1', '2', '3', '4', '5'], 'probabilities');
    const negative = {
      type: 'score',
      instructions: 'How do they feel?',
      criteria: { '-1': 'bad', '0': null, '1': 'good' },
    };
    const signed = answerOf(await probe.answers({ state: STATE, questions: { q: negative } }), 'q');
    names(object(signed['probabilities'], 'probabilities'), ['-1', '0', '1'], 'probabilities');
  }),

  check(
    'contract: Decide',
    '`number`: the most probable grid value; `confidence`; `probabilities` (3 decimals)',
    async (probe) => {
      const answer = answerOf(await probe.answers({ state: STATE, questions: { q: NUMBER } }), 'q');
      names(answer, ['type', 'number', 'confidence', 'probabilities'], 'the answer');
      same(answer['type'], 'number', 'type');
      winner(answer, String(number(answer['number'], 'number')), 3);
    },
  ),

  check(
    'contract: Decide',
    '`min`, `max` (required), `step` (default 1), grid = `min + k*step <= max`',
    async (probe) => {
      const grids = [
        { asked: { min: 0, max: 3 }, values: ['0', '1', '2', '3'] },
        { asked: { min: -4, max: 5, step: 3 }, values: ['-4', '-1', '2', '5'] },
        { asked: { min: 1, max: 6, step: 2 }, values: ['1', '3', '5'] },
        { asked: { min: 0.5, max: 3, step: 1.5 }, values: ['0.5', '2'] },
        { asked: { min: 7, max: 7 }, values: ['7'] },
      ];
      for (const { asked, values } of grids) {
        const question = { type: 'number', instructions: 'How many?', ...asked };
        const answer = answerOf(await probe.answers({ state: STATE, questions: { q: question } }), 'q');
        names(object(answer['probabilities'], 'probabilities'), values, `the grid of ${shown(asked)}`);
        claim(
          values.includes(String(answer['number'])),
          `${shown(answer['number'])} is not on the grid of ${shown(asked)}`,
        );
      }
    },
  ),

  check(
    'Conventions',
    'Probabilities, confidences, scores and truths are rounded to 2 decimals; the `probabilities` of a `number` answer are listed to 3 decimals.',
    async (probe) => {
      const answers = await probe.answers({ state: STATE, questions: ALL_TYPES });
      for (const [name, answer] of Object.entries(answers)) {
        const { type, probabilities = {} } = object(answer, name);
        for (const [option, value] of Object.entries(object(probabilities, 'probabilities')))
          probability(value, type === 'number' ? 3 : 2, `${name}: ${option}`);
      }
    },
  ),

  check(
    'Decision response (200)',
    '`usage`: object: `input_tokens` (integer), `output_tokens` (integer, always 0)',
    async (probe) => {
      const usages = [];
      for (const state of ['short', 'a much longer state '.repeat(50)]) {
        const reply = await probe.decide({ state, questions: { q: TRUTH } });
        status(reply, 200);
        const usage = object(object(reply.json, 'the body')['usage'], 'usage');
        names(usage, ['input_tokens', 'output_tokens'], 'usage');
        same(usage['output_tokens'], 0, 'output_tokens');
        claim(Number.isInteger(usage['input_tokens']), `input_tokens is ${shown(usage['input_tokens'])}`);
        usages.push(number(usage['input_tokens'], 'input_tokens'));
      }
      claim(
        usages[0]! > 0 && usages[1]! > usages[0]!,
        `input_tokens ${usages.join(' and ')} do not grow with the state`,
      );
    },
  ),

  check(
    'POST /v1/decide',
    '`questions` (object of question name to question; each answered in the response)',
    async (probe) => {
      const answers = await probe.answers({ state: STATE, questions: ALL_TYPES });
      same(Object.keys(answers), Object.keys(ALL_TYPES), 'the names of the answers');
      for (const [name, question] of Object.entries(ALL_TYPES))
        same(answerOf(answers, name)['type'], (question as { type: string }).type, `the type of ${name}`);
    },
  ),

  check('POST /v1/decide', '`state` (string, object or array)', async (probe) => {
    const states = [
      '',
      'text',
      {},
      { order: { items: [{ price: 12.5 }], ['__proto__']: 1 } },
      [],
      ['a', { b: 1 }],
      [[1, [2]], null, true],
    ];
    for (const state of states) await probe.answers({ state, questions: { q: TRUTH } });
  }),

  check(
    'contract: Decide',
    'An array `state` is a sequence of blocks: `["a", {"b": 1}]` is read as two blocks, in order.',
    async (probe) => {
      const ask = (state: unknown) => probe.answers({ state, questions: ALL_TYPES });
      same(await ask([STATE]), await ask(STATE), 'the answers about an array of one text');
      same(
        await ask([{ b: 1, c: 'text' }]),
        await ask({ b: 1, c: 'text' }),
        'the answers about an array of one object',
      );
    },
  ),

  check('contract: Decide', '`criteria`: option to description (string or null), 1 to 255 options', async (probe) => {
    const one = { type: 'choice', instructions: 'Which?', criteria: { only: null } };
    const answer = answerOf(await probe.answers({ state: STATE, questions: { q: one } }), 'q');
    same(
      [answer['choice'], answer['confidence'], answer['probabilities']],
      ['only', 1, { only: 1 }],
      'the answer with one option',
    );
  }),

  check('contract: Decide', '`criteria` (optional): `{"true": …, "false": …}` descriptions', async (probe) => {
    for (const criteria of [{ true: 'a deadline is named' }, { true: 'yes', false: null }, {}, null])
      await probe.answers({ state: STATE, questions: { q: { ...TRUTH, criteria } } });
  }),

  check('POST /v1/decide', 'All questions succeed or the request fails as a whole.', async (probe) => {
    const reply = await probe.decide({
      state: STATE,
      questions: { good: TRUTH, bad: { ...NUMBER, min: 0, max: 1000 } },
    });
    status(reply, 400);
    same(Object.keys(object(reply.json, 'the body')), ['detail'], 'the names of the body');
  }),

  check(
    'POST /v1/decide',
    'Response 200: decision response (see Resources). Headers: `x-request-id`, `x-service-model`, `x-service-safety`.',
    async (probe) => {
      const reply = await probe.decide({ state: STATE, questions: { q: TRUTH } });
      status(reply, 200);
      for (const name of ['x-request-id', 'x-service-model', 'x-service-safety'])
        claim((reply.header(name) ?? '') !== '', `${name} is missing`);
    },
  ),

  check(
    'contract: Errors',
    'Rate-limited calls also carry `x-ratelimit-limit`, `x-ratelimit-remaining`, `x-ratelimit-reset`.',
    async (probe) => {
      const { requestsPerMinute } = await probe.model();
      const reply = await probe.decide({ state: STATE, questions: { q: TRUTH } });
      status(reply, 200);
      const figure = (name: string) => {
        const value = reply.header(name);
        claim(value !== null && /^\d+$/.test(value), `${name} is ${shown(value)}`);
        return Number(value);
      };
      same(figure('x-ratelimit-limit'), requestsPerMinute, 'x-ratelimit-limit');
      claim(
        figure('x-ratelimit-remaining') < requestsPerMinute,
        'this very call is not counted in x-ratelimit-remaining',
      );
      figure('x-ratelimit-reset');
    },
  ),

  check(
    'contract: Decide',
    '`images` (array of image objects, at most 16), `collections` (array of collection ids or public names whose faces are looked for in the images, at most 8)',
    async (probe) => {
      const nine = Array.from({ length: 9 }, (_, n) => `col_${String(n).repeat(32)}`);
      const reply = await probe.decide({ state: STATE, questions: { q: TRUTH }, collections: nine });
      status(reply, 400);
      list([reply.detail], 'detail');
    },
  ),
];
