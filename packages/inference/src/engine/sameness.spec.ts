import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBundles } from '../bundle/registry.js';
import { entries } from '../questions/named.js';
import { randomRequests, shuffledOptions } from '../testing/random-requests.js';
import { mulberry, writeTinyBundle } from '../testing/tiny-bundle.js';
import type { DecideInput, Decision, Engine } from './engine.js';
import { Models } from './models.js';

const made = mkdtempSync(join(tmpdir(), 'assay-sameness-'));
const tiny = writeTinyBundle(made);
const shipped = await findBundles([fileURLToPath(new URL('../../../models', import.meta.url))]);
const names = [tiny, ...shipped].map((folder) => folder.slice(dirname(folder).length + 1));
/** Enough to notice; set ASSAY_SAMENESS_REQUESTS for a long run. */
const asked = (name: string) => Number(process.env['ASSAY_SAMENESS_REQUESTS'] ?? (name === 'tiny-1.0' ? 60 : 12));
const COMPANY = 16;
const MINUTES = 60_000 * Math.max(5, Number(process.env['ASSAY_SAMENESS_REQUESTS'] ?? 0) / 10);

const text = (decision: Decision) => JSON.stringify([[...decision.scores], [...decision.answers]]);
const live = { priority: 'live' as const };
const ask = async (engine: Engine, input: DecideInput) => text(await engine.answer(engine.prepare(input), live));

describe.each(names)('%s gives the same request the same answer, to the bit', (name) => {
  let models: Models;
  let engine: Engine;

  beforeAll(async () => {
    models = await Models.open({ roots: [made, ...new Set(shipped.map(dirname))], threads: 2 });
    engine = models.resolve(name);
  }, MINUTES);

  afterAll(async () => {
    await models.close();
    if (name === names.at(-1)) rmSync(made, { recursive: true });
  });

  it(
    'alone, among others, on one thread, and after a start',
    async () => {
      const requests = randomRequests(7, asked(name));
      const alone: string[] = [];
      for (const request of requests) alone.push(await ask(engine, request));
      expect(new Set(alone).size).toBeGreaterThan(requests.length * 0.9);
      for (let from = 0; from < requests.length; from += COMPANY) {
        const together = await Promise.all(requests.slice(from, from + COMPANY).map((request) => ask(engine, request)));
        expect(together).toEqual(alone.slice(from, from + COMPANY));
      }
      const again = await Models.open({ roots: [made, ...new Set(shipped.map(dirname))], threads: 1 });
      try {
        for (const [index, request] of requests.entries()) {
          expect(await ask(again.resolve(name), request)).toBe(alone[index]);
        }
      } finally {
        await again.close();
      }
    },
    MINUTES,
  );

  it(
    'with the options in another order, and every question alone',
    async () => {
      for (const [index, request] of randomRequests(11, Math.ceil(asked(name) / 4)).entries()) {
        const whole = await engine.answer(engine.prepare(request), live);
        const shuffled = await engine.answer(engine.prepare(shuffledOptions(request, mulberry(index))), live);
        for (const [question, body] of entries(request.questions)) {
          expect(byName(shuffled.answers.get(question)!)).toEqual(byName(whole.answers.get(question)!));
          const only = engine.prepare({ ...request, questions: new Map([[question, body]]) });
          expect((await engine.answer(only, live)).scores.get(question)).toEqual(whole.scores.get(question));
        }
      }
    },
    MINUTES,
  );

  it(
    'in a session as in a decision, whatever the window dropped and memory forgot',
    async () => {
      for (const [index, request] of randomRequests(13, Math.ceil(asked(name) / 20)).entries()) {
        const random = mulberry(index);
        const { instructions, questions } = request;
        const fixed = ['the fixed part', { order: index }];
        const context = engine.createContext({ instructions, state: fixed });
        const prepared = engine.prepareQuestions(questions);
        const window: string[] = [];
        for (let frame = 0; frame < 6; frame += 1) {
          const sent = `frame ${frame} `.repeat(1 + Math.floor(random() * 40));
          window.push(sent);
          context.extend(engine.prepareFrame(sent));
          const dropped = random() < 0.4 ? Math.min(2, window.length - 1) : 0;
          window.splice(0, dropped);
          context.drop(dropped);
          if (frame === 3) await models.restart();
          const inSession = text(await context.ask(prepared, { priority: 'stream' }));
          expect(inSession).toBe(await ask(engine, { instructions, state: [...fixed, ...window], questions }));
        }
        context.close();
      }
    },
    MINUTES,
  );
});

function byName(answer: object): object {
  const probabilities = 'probabilities' in answer ? (answer.probabilities as [string, number][]) : [];
  return { ...answer, probabilities: [...probabilities].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
