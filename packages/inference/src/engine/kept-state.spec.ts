import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineEvent } from '../scheduler/events.js';
import { writeTinyBundle } from '../testing/tiny-bundle.js';
import type { Decision, Engine } from './engine.js';
import { Models } from './models.js';

const live = { priority: 'live' as const };
const text = (decision: Decision) => JSON.stringify([[...decision.scores], [...decision.answers]]);
const pieces = (count: number) => 'a '.repeat(count);
const QUESTIONS = {
  t: { type: 'truth' as const, instructions: 'is it b' },
  c: { type: 'choice' as const, criteria: { x: null, y: 'z' } },
};

describe('kept states', () => {
  let folder: string;
  let models: Models;
  let engine: Engine;
  let events: EngineEvent[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-kept-'));
    writeTinyBundle(folder);
    events = [];
    models = await Models.open({
      roots: [folder],
      threads: 1,
      contextBytes: 1280 * 512,
      onEvent: (event) => events.push(event),
    });
    engine = models.resolve('tiny-latest');
  });

  afterEach(async () => {
    await models.close();
    rmSync(folder, { recursive: true });
  });

  const read = () =>
    events.reduce((sum, event) => sum + (event.kind === 'step' && event.work === 'read' ? event.tokens : 0), 0);

  it('are read once, and each frame once', async () => {
    const context = engine.createContext({ instructions: 'b', state: pieces(300) });
    const questions = engine.prepareQuestions(QUESTIONS);
    expect(context.inputTokens).toBe(3 + 304);
    expect((await context.ask(questions, live)).usage.inputTokens).toBe(questions.inputTokens);
    expect(read()).toBe(307);
    const frame = engine.prepareFrame(pieces(40));
    context.extend(frame);
    const one = questions.pick(['t']);
    expect((await context.ask(one, live)).usage.inputTokens).toBe(frame.inputTokens + one.inputTokens);
    expect((await context.ask(one, live)).usage.inputTokens).toBe(one.inputTokens);
    expect(read()).toBe(307 + 42);
    context.close();
  });

  it('go back to their frames before one that could not be answered', async () => {
    const questions = engine.prepareQuestions(QUESTIONS);
    const context = engine.createContext({ state: pieces(20) });
    const sent = (frame: string) => context.extend(engine.prepareFrame(frame));
    sent('a');
    sent('a b');
    const before = text(await context.ask(questions, live));
    const mark = context.mark();
    context.drop(1);
    sent('never answered');
    expect(mark.frames).toBe(2);
    context.restore(mark);
    const again = await context.ask(questions, live);
    expect(text(again)).toBe(before);
    expect(again.usage.inputTokens).toBe(questions.inputTokens);
    context.close();
  });

  it('answer the same after eviction, and only who rests is evicted', async () => {
    const questions = engine.prepareQuestions(QUESTIONS);
    const first = engine.createContext({ state: pieces(600) });
    const second = engine.createContext({ state: pieces(700) });
    const before = text(await first.ask(questions, live));
    await second.ask(questions, live);
    expect(events.filter((event) => event.kind === 'evicted')).toHaveLength(1);
    const already = read();
    expect(text(await first.ask(questions, live))).toBe(before);
    expect(read() - already).toBe(606);
    expect(models.memory.peak).toBeLessThanOrEqual(models.memory.limit);
    first.close();
    second.close();
    expect(models.memory.bytes).toBe(0);
  });

  it('stay right when a caller leaves in the middle, and go on from there', async () => {
    const questions = engine.prepareQuestions(QUESTIONS);
    const context = engine.createContext({ state: pieces(1200) });
    const leaving = new AbortController();
    const asked = context.ask(questions, { ...live, signal: leaving.signal });
    while (read() < 256) await new Promise(setImmediate);
    leaving.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    const stopped = read();
    expect(stopped).toBeLessThan(1200);
    const whole = engine.prepare({ state: [pieces(1200)], questions: QUESTIONS });
    const inSession = text(await context.ask(questions, live));
    expect(read()).toBe(1210);
    context.close();
    expect(inSession).toBe(text(await engine.answer(whole, live)));
  });

  it('give everything back when they are closed while a question is under way', async () => {
    const context = engine.createContext({ state: pieces(600) });
    const asked = context.ask(engine.prepareQuestions(QUESTIONS), live);
    await new Promise(setImmediate);
    context.close();
    expect((await asked).answers.size).toBe(2);
    expect(models.memory.bytes).toBe(0);
  });

  it('are read again when the inference thread has died', async () => {
    const questions = engine.prepareQuestions(QUESTIONS);
    const context = engine.createContext({ state: pieces(500) });
    const before = text(await context.ask(questions, live));
    await models.restart();
    expect(text(await context.ask(questions, live))).toBe(before);
    context.close();
  });

  it('hold frames by position: the same words twice are two frames', async () => {
    const questions = engine.prepareQuestions(QUESTIONS);
    const context = engine.createContext({ state: 'b' });
    const frame = engine.prepareFrame('c');
    context.extend(frame);
    context.extend(frame);
    const decide = (state: string[]) => engine.answer(engine.prepare({ state, questions: QUESTIONS }), live);
    expect(text(await context.ask(questions, live))).toBe(text(await decide(['b', 'c', 'c'])));
    context.drop(1);
    expect(text(await context.ask(questions, live))).toBe(text(await decide(['b', 'c'])));
    context.drop(context.frames);
    expect(text(await context.ask(questions, live))).toBe(text(await decide(['b'])));
    context.close();
  });

  it('answer what is asked alongside apart from the rest, and do not bill it', async () => {
    const alongside = { harm: { type: 'truth' as const, instructions: 'is it harm' } };
    const input = { state: 'b', questions: QUESTIONS };
    const plain = await engine.answer(engine.prepare(input), live);
    const both = await engine.answer(engine.prepare({ ...input, alongside }), live);
    expect(text(both)).toBe(text(plain));
    expect(both.usage).toEqual(plain.usage);
    expect([...both.alongside.keys()]).toEqual(['harm']);
  });
});
