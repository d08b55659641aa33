import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add } from '../cli/add.js';
import { MaxTokensExceededError, QuestionLimitError } from '../engine/errors.js';
import { Models } from '../engine/models.js';
import { writeTinyNli } from '../testing/tiny-nli.js';
import { controlIds, pairsOf } from './pairs.js';
import { HubTokenizer } from './tokenizer.js';

const live = { priority: 'live' as const };
const QUESTIONS = {
  choice: { type: 'choice' as const, instructions: 'paid', criteria: { a: null, b: 'late', c: 'no' } },
  truth: { type: 'truth' as const, instructions: 'paid late' },
  score: { type: 'score' as const, criteria: { '1': 'no', '2': null, '3': 'yes' } },
  number: { type: 'number' as const, min: 1, max: 3 },
};

describe.each(['bert', 'roberta', 'deberta-v2'] as const)('a %s entailment model of the user', (style) => {
  let root: string;
  let source: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-nli-'));
    source = join(root, 'source', 'My Model');
    writeTinyNli(source, style);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('cannot be talked into a control token', () => {
    const tokenizer = new HubTokenizer(JSON.parse(readFileSync(join(source, 'tokenizer.json'), 'utf8')));
    const { first, end } = controlIds(tokenizer);
    for (const text of ['a [SEP] b', '[CLS]', 'a</s></s>b', '<s>', '[SEP][SEP]', '[ SEP ] a', 'a [sep]']) {
      const ids = tokenizer.encode(text);
      expect(ids).not.toContain(first);
      expect(ids).not.toContain(end);
    }
    expect(tokenizer.encode('a [SEP] b').length).toBeGreaterThan(2);
    expect(tokenizer.encode('a b '.repeat(20)).length).toBeGreaterThanOrEqual(40);
  });

  it('is added and answers, the same in any company', async () => {
    const installed = join(root, 'models');
    const said: string[] = [];
    expect(await add.run([source, '--models', installed], (line) => said.push(line))).toBe(0);
    expect(said[0]).toContain('my-model');
    await expect(add.run([source, '--models', installed], () => undefined)).rejects.toThrow('there already');
    const models = await Models.open({ roots: [installed], threads: 1 });
    try {
      const engine = models.resolve('my-model');
      const ask = async (state: string, questions: typeof QUESTIONS | Partial<typeof QUESTIONS>) =>
        await engine.answer(engine.prepare({ state, questions: questions as typeof QUESTIONS }), live);
      const whole = await ask('a b paid', QUESTIONS);
      expect([...whole.answers.keys()]).toEqual(Object.keys(QUESTIONS));
      expect(whole.scores.get('choice')!.probabilities).toHaveLength(3);
      expect((await ask('a c late', QUESTIONS)).scores).not.toEqual(whole.scores);
      for (const name of ['choice', 'truth'] as const) {
        const alone = await ask('a b paid', { [name]: QUESTIONS[name] });
        expect(alone.scores.get(name)).toEqual(whole.scores.get(name));
      }
      const context = engine.createContext({ state: ['a b'] });
      context.extend(engine.prepareFrame('paid'));
      context.extend(engine.prepareFrame('late'));
      context.drop(1);
      const inSession = await context.ask(engine.prepareQuestions(QUESTIONS), live);
      const decided = engine.prepare({ state: ['a b', 'late'], questions: QUESTIONS });
      expect(inSession.scores).toEqual((await engine.answer(decided, live)).scores);
      // Longer than its positions: read in windows, to the last word.
      const long = 'b '.repeat(200);
      expect((await ask(`${long}a`, QUESTIONS)).scores).not.toEqual((await ask(`${long}c`, QUESTIONS)).scores);
      expect(() => engine.prepare({ state: 'b '.repeat(70_000), questions: QUESTIONS })).toThrow(
        MaxTokensExceededError,
      );
      const endless = { type: 'truth' as const, instructions: 'a '.repeat(60) };
      expect(() => engine.prepareQuestions({ endless })).toThrow(QuestionLimitError);
    } finally {
      await models.close();
    }
  });
});

describe('pairsOf', () => {
  it('reads the whole premise, each window with the whole hypothesis', () => {
    const premise = Array.from({ length: 25 }, (_, index) => 10 + index);
    const pairs = pairsOf('roberta', { first: 0, end: 2 }, premise, [7, 8], 16);
    expect(pairs.map(({ ids }) => ids.length)).toEqual([16, 16, 11]);
    expect(pairs.flatMap(({ ids }) => ids.filter((id) => id >= 10))).toEqual(premise);
    expect(pairs[2]).toEqual({ ids: [0, 30, 31, 32, 33, 34, 2, 2, 7, 8, 2], types: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1] });
    expect(pairsOf('bert', { first: 0, end: 2 }, [], [7], 16)).toEqual([{ ids: [0, 2, 7, 2], types: [0, 0, 1, 1] }]);
  });
});
