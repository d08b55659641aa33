import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomRequests, shuffledOptions } from '../testing/random-requests.js';
import { mulberry, writeTinyBundle } from '../testing/tiny-bundle.js';
import type { DecideInput, Decision, Engine } from './engine.js';
import { Models } from './models.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-sameness-'));
writeTinyBundle(folder);
const shipped = new URL('../../../models', import.meta.url).pathname;
const REQUESTS = { 'tiny-1.0': 120, shipped: 24 };

const text = (decision: Decision) => JSON.stringify([[...decision.scores], [...decision.answers]]);
const live = { priority: 'live' as const };
const ask = async (engine: Engine, input: DecideInput) => text(await engine.answer(engine.prepare(input), live));

describe('the same request gives the same answer, to the bit', () => {
  let models: Models;
  let again: Models;

  beforeAll(async () => {
    models = await Models.open({ roots: [folder, shipped], threads: 2 });
    again = await Models.open({ roots: [folder, shipped], threads: 1 });
  }, 120_000);

  afterAll(async () => {
    await models.close();
    await again.close();
    rmSync(folder, { recursive: true });
  });

  it('alone, among others, on one thread, and after a start', async () => {
    for (const engine of models.list()) {
      const requests = randomRequests(7, engine.model.id === 'tiny-1.0' ? REQUESTS['tiny-1.0'] : REQUESTS.shipped);
      const alone: string[] = [];
      for (const request of requests) alone.push(await ask(engine, request));
      expect(new Set(alone).size).toBeGreaterThan(requests.length * 0.9);
      expect(await Promise.all(requests.map((request) => ask(engine, request)))).toEqual(alone);
      const other = again.resolve(engine.model.id);
      for (const [index, request] of requests.entries()) expect(await ask(other, request)).toBe(alone[index]);
    }
  }, 300_000);

  it('with the options in another order, and every question alone', async () => {
    for (const engine of models.list()) {
      for (const [index, request] of randomRequests(11, 30).entries()) {
        const whole = await engine.answer(engine.prepare(request), live);
        const shuffled = await engine.answer(engine.prepare(shuffledOptions(request, mulberry(index))), live);
        for (const [name, answer] of whole.answers) {
          expect(byName(shuffled.answers.get(name)!)).toEqual(byName(answer));
          const question = new Map(request.questions as ReadonlyMap<string, never>).get(name)!;
          const alone = await engine.answer(
            engine.prepare({ ...request, questions: new Map([[name, question]]) }),
            live,
          );
          expect(alone.scores.get(name)).toEqual(whole.scores.get(name));
        }
      }
    }
  }, 300_000);

  it('in a session as in a decision, whatever the window dropped and memory forgot', async () => {
    for (const engine of models.list()) {
      for (const [index, request] of randomRequests(13, 6).entries()) {
        const random = mulberry(index);
        const { instructions, questions } = request;
        const fixed = ['the fixed part', { order: index }];
        const context = engine.createContext({ instructions, state: fixed });
        const prepared = engine.prepareQuestions(questions);
        const window: string[] = [];
        for (let frame = 0; frame < 8; frame += 1) {
          const sent = `frame ${frame} `.repeat(1 + Math.floor(random() * 40));
          window.push(sent);
          context.extend(engine.prepareFrame(sent));
          const dropped = random() < 0.4 ? Math.min(2, window.length - 1) : 0;
          window.splice(0, dropped);
          context.drop(dropped);
          const inSession = text(await context.ask(prepared, { priority: 'stream' }));
          expect(inSession).toBe(await ask(engine, { instructions, state: [...fixed, ...window], questions }));
        }
        context.close();
      }
    }
  }, 300_000);
});

function byName(answer: object): object {
  const probabilities = 'probabilities' in answer ? (answer.probabilities as [string, number][]) : [];
  return { ...answer, probabilities: [...probabilities].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
