import { check } from '../check.js';
import { claim, entries, entryAt, refusal, same, shown, status, text } from '../claims.js';
import { CHOICE, NUMBER, options, SCORE, STATE, TRUTH } from './samples.js';

const CUT = 64;

export const validation = [
  check(
    'Body shapes',
    '422: `detail` is a list, one entry per invalid field, each with `type`, `loc` (path into the body, including the question key and type), `msg`, `input` (what was sent; strings cut to 64 characters; objects and arrays never echoed).',
    async (probe) => {
      const reply = await probe.decide({
        state: 17,
        instructions: { long: 'object' },
        questions: { topic: { type: 'choice' }, when: { type: 'number', min: 'x'.repeat(500), max: [1, 2, 3] } },
      });
      const found = entries(reply);
      entryAt(found, ['body', 'questions', 'topic', 'choice', 'criteria']);
      const min = entryAt(found, ['body', 'questions', 'when', 'number', 'min']);
      same(min.input, 'x'.repeat(CUT), 'the echo of a long text');
      same(entryAt(found, ['body', 'questions', 'when', 'number', 'max']).input, null, 'the echo of an array');
      same(entryAt(found, ['body', 'instructions']).input, null, 'the echo of an object');
      for (const { loc, input } of found)
        claim(typeof input !== 'object' || input === null, `the entry at ${shown(loc)} echoes an object`);
    },
  ),

  check('Body shapes', 'All invalid fields are listed at once.', async (probe) => {
    const { id } = await probe.model();
    const json = {
      model: 5,
      state: STATE,
      extra: 1,
      questions: { a: { type: 'choice', criteria: 'no' }, b: { type: 'truth', instructions: 3 } },
    };
    const found = entries(await probe.service.call({ path: '/v1/decide', json }));
    for (const loc of [
      ['body', 'model'],
      ['body', 'extra'],
      ['body', 'questions', 'a', 'choice', 'criteria'],
      ['body', 'questions', 'b', 'truth', 'instructions'],
    ])
      entryAt(found, loc);
    claim(id !== '', 'the model has no id');
  }),

  check(
    'contract: Decide',
    'Request: `model` (required), `instructions`, `state` (string, object or array; required unless there are images), `questions` (required, at least one)',
    async (probe) => {
      const { id } = await probe.model();
      const whole = { model: id, state: STATE, questions: { q: TRUTH } };
      for (const missing of ['model', 'questions', 'state'] as const) {
        const { [missing]: _, ...rest } = whole;
        const found = entries(await probe.service.call({ path: '/v1/decide', json: rest }));
        same(entryAt(found, ['body', missing]).type, 'missing', `the type of the entry for ${missing}`);
      }
      entryAt(entries(await probe.decide({ state: STATE, questions: {} })), ['body', 'questions']);
      for (const json of [[], 'text', 7, null]) entries(await probe.service.call({ path: '/v1/decide', json }));
    },
  ),

  check(
    'contract: Decide',
    'Unknown fields are refused (422 `extra_forbidden`): a misspelt `critera` must not pass in silence.',
    async (probe) => {
      const cases = [
        { body: { state: STATE, questions: { q: TRUTH }, sate: 'x' }, loc: ['body', 'sate'] },
        {
          body: { state: STATE, questions: { q: { ...CHOICE, critera: {} } } },
          loc: ['body', 'questions', 'q', 'choice', 'critera'],
        },
        {
          body: { state: STATE, questions: { q: { ...TRUTH, min: 1 } } },
          loc: ['body', 'questions', 'q', 'truth', 'min'],
        },
        {
          body: { state: STATE, questions: { q: { ...NUMBER, criteria: {} } } },
          loc: ['body', 'questions', 'q', 'number', 'criteria'],
        },
      ];
      for (const { body, loc } of cases)
        same(entryAt(entries(await probe.decide(body)), loc).type, 'extra_forbidden', 'type');
    },
  ),

  check('Question', '`type`: `choice`, `score`, `truth` or `number`', async (probe) => {
    for (const question of [
      { type: 'colour' },
      { instructions: 'x' },
      { type: null },
      { type: 'Truth' },
      'truth',
      null,
      [],
    ]) {
      const found = entries(await probe.decide({ state: STATE, questions: { q: question } }));
      claim(
        found.every(({ loc }) => loc[1] === 'questions' && loc[2] === 'q'),
        `the entries for ${shown(question)} are not at the question`,
      );
    }
  }),

  check(
    'Question',
    '`criteria`: Required for `choice`: option name to description; at most 255 options. Not used by `number`',
    async (probe) => {
      for (const criteria of [undefined, {}, ['a', 'b'], { a: 1 }, { a: { b: 'c' } }])
        entries(await probe.decide({ state: STATE, questions: { q: { ...CHOICE, criteria } } }));
    },
  ),

  check('Question', 'For `number`: `min` must be at or below `max`', async (probe) => {
    const found = entries(await probe.decide({ state: STATE, questions: { q: { ...NUMBER, min: 3, max: 2 } } }));
    claim(found.length === 1 && found[0]!.loc.includes('q'), 'the entry does not name the question');
  }),

  check(
    'contract: Decide',
    '`criteria` (optional): level (a whole number as text) to description, 2 to 10 levels',
    async (probe) => {
      for (const criteria of [
        { '1': 'only' },
        {},
        { low: 'x', high: 'y' },
        { '1.5': 'x', '2': 'y' },
        { '01': 'x', '1': 'y' },
      ])
        entries(await probe.decide({ state: STATE, questions: { q: { ...SCORE, criteria } } }));
    },
  ),

  check(
    'Statuses',
    '422: body failed validation; `json_invalid`; `no_face` (billed); `image_unreadable` (not billed)',
    async (probe) => {
      const { id } = await probe.model();
      const whole = JSON.stringify({ model: id, state: STATE, questions: { q: TRUTH } });
      const invalidUtf8 = new Uint8Array([
        ...Buffer.from(whole.slice(0, -1)),
        0x2c,
        0x22,
        0xff,
        0x22,
        0x3a,
        0x31,
        0x7d,
      ]);
      const bodies = [
        '',
        'not json',
        '{',
        whole.slice(0, -1),
        `${whole}}`,
        `${whole}x`,
        "{'a':1}",
        '{"a":NaN}',
        `${whole.slice(0, -1)},}`,
      ];
      for (const body of [...bodies, invalidUtf8]) {
        const found = entries(await probe.service.call({ path: '/v1/decide', body }));
        same(
          found.map(({ type }) => type),
          ['json_invalid'],
          `the entries for ${shown(typeof body === 'string' ? body : 'bytes that are not UTF-8')}`,
        );
        same(found[0]!.loc[0], 'body', 'where the entry is');
      }
    },
  ),

  check(
    'specification: Errors',
    'A body with a repeated name, more than 64 levels, or anything after its value is a 422 with one entry of type `json_invalid`.',
    async (probe) => {
      const { id } = await probe.model();
      const head = `{"model":${JSON.stringify(id)},"questions":{"q":{"type":"truth"}}`;
      for (const body of [`${head},"state":"a","state":"b"}`, `${head},"state":${'['.repeat(100)}${']'.repeat(100)}}`])
        same(
          entries(await probe.service.call({ path: '/v1/decide', body })).map(({ type }) => type),
          ['json_invalid'],
          'the entries',
        );
    },
  ),

  check(
    'specification: Errors',
    'Precedence: 401, then 422, then 400 for an unknown model, then limits.',
    async (probe) => {
      const manyOptions = { q: { ...CHOICE, criteria: options(256) } };
      const invalid = { model: 'no-such-model', state: 17, questions: manyOptions };
      const nobody = probe.service.as(undefined);
      refusal(await nobody.call({ path: '/v1/decide', json: invalid }), 401, 'authentication_error');
      refusal(await nobody.call({ path: '/v1/decide', body: 'not json' }), 401, 'authentication_error');
      status(await probe.decide(invalid), 422);
      const unknown = refusal(await probe.decide({ ...invalid, state: STATE }), 400, 'api_usage_error');
      claim(
        text(unknown['message'], 'message').startsWith('Unknown model'),
        'the unknown model does not come before the limits',
      );
    },
  ),
];
