import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyBundle } from '../testing/tiny-bundle.js';
import type { Engine } from './engine.js';
import {
  FrameTooLongError,
  MaxTokensExceededError,
  OverloadedError,
  QuestionLimitError,
  UnknownModelError,
} from './errors.js';
import { Models } from './models.js';

const live = { priority: 'live' as const };
const truth = { type: 'truth' as const, instructions: 'x' };
/** Every piece of these words is a character of the tiny vocabulary. */
const pieces = (count: number) => 'a '.repeat(count);
/** 254 pieces and two control tokens a block. */
const FULL = 256;

describe('limits', () => {
  let folder: string;
  let models: Models;
  let engine: Engine;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-limits-'));
    writeTinyBundle(folder);
    models = await Models.open({ roots: [folder], threads: 2, contextBytes: 64 * 1024 * 1024 });
    engine = models.resolve('tiny-latest');
  });

  afterAll(async () => {
    await models.close();
    rmSync(folder, { recursive: true });
  });

  it('answers 65,536 tokens and refuses one more, within the memory budget', async () => {
    // 255 full blocks, one of 208 tokens, and 48 pieces of question: "yes" is one of them.
    const state = pieces(255 * 254 + 206);
    const question = { type: 'truth' as const, instructions: pieces(47) };
    const prepared = engine.prepare({ state, questions: { q: question } });
    expect(prepared.inputTokens).toBe(255 * FULL + 208 + 48);
    expect(prepared.inputTokens).toBe(65_536);
    const decision = await engine.answer(prepared, live);
    expect(decision.usage).toEqual({ inputTokens: 65_536, imageTokens: 0 });
    expect(decision.scores.get('q')!.logits.every(Number.isFinite)).toBe(true);
    expect(models.memory.peak).toBeLessThanOrEqual(models.memory.limit);
    expect(models.memory.bytes).toBe(0);
    const longer = { type: 'truth' as const, instructions: pieces(48) };
    expect(() => engine.prepare({ state, questions: { q: longer } })).toThrow(MaxTokensExceededError);
    expect(() => engine.prepare({ state: `${state}a a a`, questions: { q: question } })).toThrow(
      MaxTokensExceededError,
    );
  }, 120_000);

  it('reads the last of a long state as it reads the first', async () => {
    const ask = async (state: string) =>
      (await engine.answer(engine.prepare({ state, questions: { q: truth } }), live)).scores.get('q')!.logits;
    const long = pieces(5000);
    expect(await ask(`${long}b`)).not.toEqual(await ask(`${long}c`));
    expect(await ask(`b ${long}`)).not.toEqual(await ask(`c ${long}`));
  });

  it('counts a text of an array as 16 tokens at least against the limit, and as what it is in the bill', () => {
    const texts = (count: number) => Array.from({ length: count }, () => 'a');
    expect(engine.prepare({ state: texts(4000), questions: { q: truth } }).inputTokens).toBe(4000 * 3 + 2);
    expect(() => engine.prepare({ state: texts(4096), questions: { q: truth } })).toThrow(MaxTokensExceededError);
  });

  it('answers 255 options and 256 grid values, and refuses more by name', async () => {
    const options = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`o${at}`, 'x']));
    const questions = {
      choice: { type: 'choice' as const, criteria: options(255) },
      number: { type: 'number' as const, min: -100, max: 155 },
    };
    const { answers } = await engine.answer(engine.prepare({ state: 'a', questions }), live);
    const listed = [...answers.values()].map((answer) => ('probabilities' in answer ? answer.probabilities.length : 0));
    expect(listed).toEqual([255, 256]);
    const refuse = (question: Parameters<Engine['prepareQuestions']>[0]) => () => engine.prepareQuestions(question);
    expect(refuse({ many: { type: 'choice', criteria: options(256) } })).toThrow(QuestionLimitError);
    expect(refuse({ long: { type: 'choice', criteria: { short: null, endless: pieces(200) } } })).toThrow(
      expect.objectContaining({ question: 'long', kind: 'candidate_too_long', candidate: 'endless' }),
    );
  }, 60_000);

  it('reads instructions of any length, to their first word', async () => {
    const ask = async (instructions: string) => {
      const questions = { q: { type: 'truth' as const, instructions }, other: truth };
      return (await engine.answer(engine.prepare({ state: 'a', questions }), live)).scores;
    };
    const [one, other] = [await ask(`b ${pieces(900)}`), await ask(`c ${pieces(900)}`)];
    expect(one.get('q')).not.toEqual(other.get('q'));
    expect(one.get('other')).toEqual(other.get('other'));
  });

  it('takes frames of 4,096 tokens, 16 of them, and refuses a longer one', async () => {
    const longest = pieces(15 * 254 + 254);
    const context = engine.createContext({});
    for (let frame = 0; frame < 16; frame += 1) context.extend(engine.prepareFrame(longest.slice(0, -512)));
    expect(engine.prepareFrame(longest).inputTokens).toBe(4096);
    expect(() => engine.prepareFrame(`${longest}a`)).toThrow(FrameTooLongError);
    expect((await context.ask(engine.prepareQuestions({ q: truth }), live)).answers.size).toBe(1);
    context.extend(engine.prepareFrame(longest));
    await expect(context.ask(engine.prepareQuestions({ q: truth }), live)).rejects.toThrow(MaxTokensExceededError);
    context.close();
    expect(models.memory.bytes).toBe(0);
  }, 60_000);

  it('refuses before any work what its memory cannot hold', async () => {
    const small = await Models.open({ roots: [folder], threads: 1, contextBytes: 1024 * 512 });
    const one = small.resolve('tiny-1.0');
    const big = one.prepare({ state: pieces(2000), questions: { q: truth } });
    await expect(one.answer(big, live)).rejects.toThrow(OverloadedError);
    await expect(one.answer(big, live)).rejects.toThrow(expect.objectContaining({ reason: 'memory' }));
    const fits = one.prepare({ state: pieces(200), questions: { q: truth } });
    expect((await one.answer(fits, live)).answers.size).toBe(1);
    await small.close();
  });

  it('says which model it does not know', () => {
    expect(() => models.resolve('gpt')).toThrow(UnknownModelError);
    expect(() => models.resolve('gpt')).toThrow('Unknown model: gpt');
    expect(models.resolve('tiny-1.0')).toBe(models.resolve('tiny-latest'));
  });
});
