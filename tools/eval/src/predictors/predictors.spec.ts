import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { answers } from '../evaluate.js';
import type { Example } from '../examples/example.js';
import { readExamples } from '../examples/files.js';
import { sample } from '../examples/random.js';
import { scored } from '../metrics/scored.js';
import { BundlePredictor } from './bundle.js';
import { ChancePredictor } from './chance.js';
import { type Predictor, RefusedError } from './predictor.js';
import { ServicePredictor } from './service.js';

const QUICK = join(import.meta.dirname, '..', '..', 'fixtures', 'quick', 'examples.jsonl');

/** A service that answers by whatever `reply` makes of the request. */
async function stubService(reply: (body: { questions: object }) => { status: number; body: object }) {
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { status, body } = reply(JSON.parse(text));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function everyTypeAnswered(predictor: Predictor): Promise<void> {
  const { examples } = await readExamples(QUICK);
  const answered = await answers(predictor, sample(examples, 40, 3), 4);
  const types = new Set(answered.map(({ example }) => example.type));
  expect(types.size).toBe(4);
  for (const { example, answer } of answered) {
    if (answer instanceof RefusedError) throw answer;
    const { confidence, brier, candidates } = scored(example, answer);
    expect(confidence).toBeGreaterThanOrEqual(1 / Math.max(2, candidates) - 1e-6);
    expect(brier).toBeGreaterThanOrEqual(0);
    if (answer.type === 'truth') continue;
    expect(answer.probabilities).toHaveLength(candidates);
    expect(answer.probabilities.reduce((sum, [, probability]) => sum + probability, 0)).toBeCloseTo(1, 5);
  }
}

describe('predictors', () => {
  it('chance answers every type evenly', () => everyTypeAnswered(new ChancePredictor()));

  it('a bundle answers every type, unrounded, and refuses what is over a limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'eval-'));
    writeTinyBundle(folder);
    const predictor = await BundlePredictor.open(join(folder, 'tiny-1.0'), 1);
    try {
      await everyTypeAnswered(predictor);
      const { examples } = await readExamples(QUICK);
      const wide: Example = {
        ...examples.find(({ type }) => type === 'number')!,
        min: 0,
        max: 5000,
        step: 1,
        answer: 1,
      };
      await expect(predictor.answer(wide)).rejects.toThrow(RefusedError);
    } finally {
      await predictor.close();
      await rm(folder, { recursive: true });
    }
  });

  it('a service is asked one decide call an example, and its 4xx are refusals', async () => {
    const seen: object[] = [];
    const service = await stubService((body) => {
      seen.push(body);
      const answer = { type: 'truth', truth: 0.75 };
      return seen.length === 1
        ? {
            status: 200,
            body: { model: 'm-1.0', answers: { question: answer }, usage: { input_tokens: 1, output_tokens: 0 } },
          }
        : { status: 400, body: { detail: 'Too many choices: 300, at most 255.' } };
    });
    try {
      const predictor = ServicePredictor.open(service.url, 'key', 'm-latest');
      const { examples } = await readExamples(QUICK);
      const example = examples.find(({ type }) => type === 'truth')!;
      expect(await predictor.answer(example)).toEqual({ type: 'truth', truth: 0.75 });
      expect(seen[0]).toEqual({
        model: 'm-latest',
        state: example.state,
        questions: { question: { type: 'truth', instructions: example.instructions } },
      });
      await expect(predictor.answer(example)).rejects.toThrow('Too many choices');
      await expect(predictor.answer(example)).rejects.toThrow(RefusedError);
    } finally {
      await service.close();
    }
  });
});
