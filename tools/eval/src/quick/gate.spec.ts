import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from '../evaluate.js';
import { readExamples } from '../examples/files.js';
import { compare, comparisonText } from '../paired/compare.js';
import { type Recording, record } from '../paired/recording.js';
import { BundlePredictor } from '../predictors/bundle.js';
import { ChancePredictor } from '../predictors/chance.js';
import type { Predictor } from '../predictors/predictor.js';

const QUICK = join(import.meta.dirname, '..', '..', 'fixtures', 'quick');
const RECORDED = join(QUICK, 'recorded');
const MODELS = join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'models');
const TEXT_FORMAT = 'assay-bundle-1';
/** Accuracy that may be lost: more than the ulps of another processor turn, less than a worse model loses. */
const MARGIN = 0.02;
const MINUTES = 60_000;

const names = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

const bundles = names(MODELS).filter((name) => {
  const manifest = join(MODELS, name, 'manifest.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).format === TEXT_FORMAT;
});

const recordingOf = (bundle: string): Recording =>
  JSON.parse(readFileSync(join(RECORDED, `${bundle}.json`), 'utf8')) as Recording;

async function comparison(bundle: string, predictor: Predictor) {
  const { examples } = await readExamples(join(QUICK, 'examples.jsonl'));
  const now = record(predictor.name, await answers(predictor, examples, 4));
  return compare(recordingOf(bundle), now, MARGIN);
}

describe('the quick gate', () => {
  it('has a recording for each bundle that is shipped, and no other', () => {
    expect(names(RECORDED).sort()).toEqual(bundles.map((bundle) => `${bundle}.json`).sort());
  });

  for (const bundle of bundles) {
    it(
      `${bundle} answers as well as it was recorded`,
      async () => {
        const predictor = await BundlePredictor.open(join(MODELS, bundle));
        try {
          const result = await comparison(bundle, predictor);
          if (!result.passed) throw new Error(comparisonText(result, MARGIN));
        } finally {
          await predictor.close();
        }
      },
      10 * MINUTES,
    );

    it(`a model that reads nothing does not pass for ${bundle}`, async () => {
      expect((await comparison(bundle, new ChancePredictor())).passed).toBe(false);
    });
  }
});
