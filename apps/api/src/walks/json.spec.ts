import { decision, type Sent, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const decide = (sent: Sent) => send(service.url, 'decide', { key: service.key, ...sent });
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );

test.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ['nothing', ''],
  ['no JSON', 'model=assay'],
  ['half of it', decision().slice(0, -1)],
  ['more after it', `${decision()} {}`],
  ['a name twice', '{"model":"a","model":"b"}'],
  ['a name twice, deep inside', decision({ state: 0 }).replace('"state":0', '"state":{"a":{"b":1,"b":2}}')],
  ['a byte order mark', bytes([0xef, 0xbb, 0xbf], decision())],
  ['bytes that are not UTF-8', bytes('{"model":"', [0xff, 0xfe], '"}')],
  ['a cut UTF-8 sequence', bytes('{"model":"', [0xe2, 0x82], '"}')],
  ['UTF-16', new Uint8Array(Buffer.from(decision(), 'utf16le'))],
  ['65 levels', '['.repeat(65) + ']'.repeat(65)],
  ['a hundred thousand levels', '['.repeat(100_000)],
  ['half a surrogate pair', '{"model":"\\ud800"}'],
  ['a number without end', `{"model":${'9'.repeat(1_000)}}`],
  ['a number out of range', '{"model":1e999}'],
  ['NaN', '{"model":NaN}'],
  ['a comment', '{/* */}'],
  ['a raw line break in a string', '{"model":"a\nb"}'],
])('a body that is %s: 422 json_invalid', async (_, body) => {
  const { status, body: answer } = await decide({ body });
  expect(status).toBe(422);
  expect(answer).toEqual({
    detail: [
      {
        type: 'json_invalid',
        loc: ['body', expect.any(Number)],
        msg: expect.stringMatching(/^Invalid JSON: /),
        input: null,
      },
    ],
  });
});

test('all invalid fields are listed at once, with the question’s name and type in their place', async () => {
  const { status, body } = await decide({
    body: JSON.stringify({
      instructions: 7,
      state: 'x',
      questions: {
        topic: { type: 'choice', critera: { a: null } },
        mood: { type: 'feeling' },
        size: { type: 'number', min: 5, max: 1 },
      },
      surplus: { big: ['object'] },
    }),
  });
  expect(status).toBe(422);
  const entries = (body as { detail: { type: string; loc: unknown[]; input: unknown }[] }).detail;
  expect(entries.map(({ type, loc }) => `${type} ${loc.join('.')}`).sort()).toEqual([
    'extra_forbidden body.questions.topic.choice.critera',
    'extra_forbidden body.surplus',
    'missing body.model',
    'missing body.questions.topic.choice.criteria',
    'string_type body.instructions',
    'union_tag_invalid body.questions.mood',
    'value_error body.questions.size.number',
  ]);
  expect(entries.find(({ loc }) => loc.includes('surplus'))?.input).toBeNull();
});

test('strings are cut to 64 characters in an entry', async () => {
  const { body } = await decide({ body: decision({ questions: { q: { type: 'x'.repeat(100) } } }) });
  expect((body as { detail: { input: string }[] }).detail[0]?.input).toBe('x'.repeat(64));
});

test('names such as __proto__ come back as sent, in the order sent', async () => {
  const names = ['10', '__proto__', 'constructor', '9', 'toString', 'a b', '☃'];
  const criteria = `{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`;
  const questions = `{${names.map((name) => `${JSON.stringify(name)}:{"type":"choice","criteria":${criteria}}`).join(',')}}`;
  const answer = await decide({
    body: `{"model":"tiny-latest","state":{"__proto__":{"x":1}},"questions":${questions}}`,
  });
  expect(answer.status).toBe(200);
  const inOrder = names.map((name) => JSON.stringify(name)).join('|');
  const questionNames = [...answer.text.matchAll(/("[^"]+"):\{"type"/g)].map(([, name]) => name).join('|');
  expect(questionNames).toBe(inOrder);
  for (const [, listed] of answer.text.matchAll(/"probabilities":\{([^}]*)\}/g))
    expect(
      listed
        ?.split(',')
        .map((entry) => entry.slice(0, entry.lastIndexOf(':')))
        .join('|'),
    ).toBe(inOrder);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('the Content-Type is not asked, the body is read as JSON', async () => {
  expect((await decide({ body: decision(), headers: { 'content-type': 'text/plain' } })).status).toBe(200);
});
