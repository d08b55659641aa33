import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Models } from '@assay/inference';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { EngineScorer } from './engine-scorer.js';
import { unfitted } from './fitted.js';
import { itScores } from './testing/scorer-suite.js';

describe('the engine as a scorer', () => {
  let folder: string;
  let models: Models;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'safety-'));
    writeTinyBundle(folder);
    models = await Models.open({ roots: [folder], threads: 1 });
  });
  afterAll(async () => {
    await models.close();
    await rm(folder, { recursive: true });
  });

  itScores(() => {
    const [engine] = models.list();
    return Promise.resolve(new EngineScorer(engine!, unfitted('tiny-1.0')));
  });

  it('reads what is asked: another question about the same state has another score', async () => {
    const scorer = new EngineScorer(models.list()[0]!, unfitted('tiny-1.0'));
    const ask = (instructions: string) =>
      scorer.score({ state: 'same', questions: { q: { type: 'truth', instructions } } }, { priority: 'live' });
    expect(await ask('Is it raining there today?')).not.toEqual(await ask('Whom should we hit first of all?'));
  });
});
