import { check } from '../check.js';
import { claim, names, object, same, status, text } from '../claims.js';
import { ALL_TYPES, STATE, TRUTH } from './samples.js';

const REQUEST_ID = /^req_\S+$/;

/** Names that a careless service loses, reorders or trips over. */
const AWKWARD = [
  '__proto__',
  'constructor',
  '10',
  '2',
  'toString',
  'a.b',
  'with space',
  'Ünïcödé 🚚',
  'quo"te',
  '-1',
  'CamelCase',
];

const awkwardObject = (value: string) => `{${AWKWARD.map((name) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

function inOrder(json: string, what: string): void {
  const places = AWKWARD.map((name) => json.indexOf(`${JSON.stringify(name)}:`));
  const missing = AWKWARD.filter((_, index) => places[index] === -1);
  claim(missing.length === 0, `${what}: ${missing.join(', ')} did not come back`);
  const sorted = [...places].sort((a, b) => a - b);
  same(places, sorted, `${what}: the order of the names`);
}

export const conventions = [
  check('Conventions', 'Every response, errors included, carries header `x-request-id`.', async (probe) => {
    const ids = new Set<string | null>();
    const replies = [
      await probe.decide({ state: STATE, questions: { q: TRUTH } }),
      await probe.decide({}),
      await probe.service.as(undefined).call({ path: '/v1/models' }),
      await probe.service.call({ path: '/v1/no-such-thing' }),
      await probe.service.call({ path: '/v1/decide', body: 'not json' }),
      await probe.service.call({ path: '/nowhere' }),
    ];
    for (const reply of replies) {
      claim(
        REQUEST_ID.test(reply.header('x-request-id') ?? ''),
        `a ${reply.status} has x-request-id ${reply.header('x-request-id')}`,
      );
      ids.add(reply.header('x-request-id'));
    }
    same(ids.size, replies.length, 'the number of different request ids');
  }),

  check(
    'contract: Errors',
    "A caller's own `x-request-id` is not taken over; the service makes its own.",
    async (probe) => {
      const reply = await probe.service.call({ path: '/v1/models', headers: { 'x-request-id': 'req_mine' } });
      const id = reply.header('x-request-id') ?? '';
      claim(REQUEST_ID.test(id) && id !== 'req_mine', `x-request-id is ${id}`);
    },
  ),

  check('Conventions', 'Bodies are UTF-8 JSON with `Content-Type: application/json`.', async (probe) => {
    const answered = await probe.decide({ state: 'Füße, 北京, 🚚', questions: { 'Größe 北京': TRUTH } });
    status(answered, 200);
    names(object(object(answered.json, 'the body')['answers'], 'answers'), ['Größe 北京'], 'answers');
    for (const reply of [answered, await probe.decide({}), await probe.service.call({ path: '/v1/models' })]) {
      const type = reply.header('content-type') ?? '';
      claim(/^application\/json\b/.test(type), `the content type of a ${reply.status} is ${type}`);
    }
  }),

  check('Conventions', 'Question keys and batch `custom_id` values come back exactly as sent.', async (probe) => {
    const { id } = await probe.model();
    const body = `{"model":${JSON.stringify(id)},"state":"a","questions":${awkwardObject(JSON.stringify(TRUTH))}}`;
    const reply = await probe.service.call({ path: '/v1/decide', body });
    status(reply, 200);
    inOrder(reply.text, 'question keys');
  }),

  check(
    'contract: Decide',
    'Names the caller chose (question keys, option names, custom ids, metadata keys) come back exactly, `__proto__`, `constructor` and integer-like names such as `10` included.',
    async (probe) => {
      const { id } = await probe.model();
      const question = `{"type":"choice","instructions":"Which?","criteria":${awkwardObject('null')}}`;
      const body = `{"model":${JSON.stringify(id)},"state":"a","questions":{"q":${question}}}`;
      const reply = await probe.service.call({ path: '/v1/decide', body });
      status(reply, 200);
      const answer = object(object(object(reply.json, 'the body')['answers'], 'answers')['q'], 'the answer');
      claim(AWKWARD.includes(text(answer['choice'], 'choice')), `the choice ${String(answer['choice'])} is no option`);
      names(object(answer['probabilities'], 'probabilities'), AWKWARD, 'probabilities');
      inOrder(reply.text.slice(reply.text.indexOf('"probabilities"')), 'option names');
    },
  ),

  check('Conventions', 'Field names are `snake_case`.', async (probe) => {
    const reply = await probe.decide({ state: STATE, questions: ALL_TYPES });
    status(reply, 200);
    const body = object(reply.json, 'the body');
    names(body, ['model', 'answers', 'usage'], 'the body');
    names(object(body['usage'], 'usage'), ['input_tokens', 'output_tokens'], 'usage');
  }),

  check(
    'Conventions',
    'Every decision response names the answering model version in body field `model` and header `x-service-model`.',
    async (probe) => {
      const { id } = await probe.model();
      const reply = await probe.decide({ state: STATE, questions: { q: TRUTH } });
      status(reply, 200);
      same(object(reply.json, 'the body')['model'], id, 'model');
      same(reply.header('x-service-model'), id, 'x-service-model');
    },
  ),
];
