import { errorType, send } from '../walks/requests.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { metric } from './testing/raw-call.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const GOOD = { good: { type: 'truth', instructions: 'Is it urgent?' }, also: { type: 'score' } };
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at), null]));
const decide = (questions: object) =>
  send(service.url, 'decide', {
    key: service.key,
    body: JSON.stringify({ model: 'tiny-latest', state: 'Where is my parcel?', questions }),
  });
const charges = async () => (await service.database.source.query('SELECT FROM ledger_entries')).length;
const steps = () => metric(service.url, 'assay_engine_step_milliseconds_count');

test.each<[string, unknown, number, string | undefined]>([
  ['256 options', { type: 'choice', criteria: names(256) }, 400, undefined],
  ['no options', { type: 'choice', criteria: {} }, 422, undefined],
  ['11 levels', { type: 'score', criteria: names(11) }, 400, undefined],
  ['257 values', { type: 'number', min: 0, max: 256 }, 400, 'api_usage_error'],
  ['a step of a half', { type: 'number', min: 0, max: 3, step: 0.5 }, 400, 'api_usage_error'],
  [
    'an option that is too long to read',
    { type: 'choice', criteria: { long: 'a '.repeat(300), b: null } },
    400,
    'api_usage_error',
  ],
  ['an unknown type', { type: 'guess' }, 422, undefined],
  ['a misspelt field', { type: 'truth', critera: {} }, 422, undefined],
])(
  'a question with %s fails the whole call before any work, wherever it stands, and nothing is charged',
  async (_, bad, status, type) => {
    const before = [await charges(), await steps()];
    for (const questions of [
      { bad, ...GOOD },
      { ...GOOD, bad },
      { good: GOOD.good, bad, also: GOOD.also },
    ]) {
      const answer = await decide(questions);
      expect([answer.status, errorType(answer), answer.text.includes('"answers"')]).toEqual([status, type, false]);
    }
    expect([await charges(), await steps()]).toEqual(before);
  },
);

test('without the bad one all are answered, in one charge', async () => {
  const before = await charges();
  const answer = await decide(GOOD);
  expect(Object.keys((answer.body as { answers: object }).answers)).toEqual(['good', 'also']);
  expect(await charges()).toBe(before + 1);
});
