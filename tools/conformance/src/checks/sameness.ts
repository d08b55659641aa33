import { check } from '../check.js';
import { claim, object, same, status } from '../claims.js';
import { answersOf } from '../probe.js';
import { ALL_TYPES, CHOICE, NUMBER, SCORE, STATE, TRUTH } from './samples.js';

const reversed = <T>(record: { readonly [name: string]: T }) => Object.fromEntries(Object.entries(record).reverse());

export const sameness = [
  check(
    'Versioning',
    'The same request on the same model version gives the same answer; pin a version to keep answers fixed across releases.',
    async (probe) => {
      const first = await probe.decide({ state: STATE, questions: ALL_TYPES });
      answersOf(first, ALL_TYPES);
      const others = await Promise.all([
        ...Array.from({ length: 6 }, () => probe.decide({ state: STATE, questions: ALL_TYPES })),
        probe.decide({ state: 'something else entirely', questions: ALL_TYPES }),
      ]);
      for (const other of others.slice(0, 6)) same(other.text, first.text, 'the body of the same request');
    },
  ),

  check('Versioning', 'A pinned id such as `<service>-1.0` never changes.', async (probe) => {
    const { id } = await probe.model();
    const reply = await probe.decide({ model: id, state: STATE, questions: { q: TRUTH } });
    answersOf(reply, { q: TRUTH });
    same([object(reply.json, 'the body')['model'], reply.header('x-service-model')], [id, id], 'the model');
  }),

  check(
    'Versioning',
    'Model aliases `<service>-latest` and `<service>-flash-latest` move to each new release; the model list says what each alias points to.',
    async (probe) => {
      const list = await probe.service.call({ path: '/v1/models' });
      const aliases = object(object(list.json, 'the body')['aliases'], 'aliases');
      claim(
        Object.keys(aliases).some((alias) => alias.endsWith('-latest')),
        'no alias ends in -latest',
      );
      for (const [alias, id] of Object.entries(aliases)) {
        const asked = { state: STATE, questions: ALL_TYPES };
        const byAlias = await probe.decide({ ...asked, model: alias });
        const pinned = await probe.decide({ ...asked, model: id });
        status(byAlias, 200);
        same(byAlias.text, pinned.text, `the body for ${alias} and for ${String(id)}`);
        same(byAlias.header('x-service-model'), id, 'x-service-model');
      }
    },
  ),

  check(
    'specification: decide',
    'Options in any order, questions in any order and company: the same answers per question.',
    async (probe) => {
      const together = await probe.answers({ state: STATE, questions: ALL_TYPES });
      const turned = await probe.answers({ state: STATE, questions: reversed(ALL_TYPES) });
      for (const [name, question] of Object.entries(ALL_TYPES)) {
        const alone = await probe.answers({ state: STATE, questions: { [name]: question } });
        same(alone[name], together[name], `the answer to ${name} alone`);
        same(turned[name], together[name], `the answer to ${name} with the questions reversed`);
      }
      const shuffled = await probe.answers({
        state: STATE,
        questions: { topic: { ...CHOICE, criteria: reversed(CHOICE.criteria) } },
      });
      const asked = object(together['topic'], 'topic');
      const back = object(shuffled['topic'], 'topic');
      same(back['choice'], asked['choice'], 'the choice with the options reversed');
      const before = object(asked['probabilities'], 'probabilities');
      for (const [option, value] of Object.entries(object(back['probabilities'], 'probabilities')))
        same(value, before[option], `the probability of ${option} with the options reversed`);
    },
  ),

  check(
    'specification: decide',
    'A question is not changed by its name, nor by fields that say the same as leaving them out.',
    async (probe) => {
      const plain = await probe.answers({ state: STATE, questions: { a: NUMBER, b: SCORE } });
      const spelt = await probe.answers({
        state: STATE,
        instructions: null,
        questions: { x: { ...NUMBER, step: 1 }, y: SCORE },
      });
      same([spelt['x'], spelt['y']], [plain['a'], plain['b']], 'the answers');
    },
  ),
];
