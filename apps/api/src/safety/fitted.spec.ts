import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checked, type FittedSafety, fittedScores, SafetyFitError, unfitted } from './fitted.js';
import { readFittedSafeties } from './read-fitted.js';
import { STATEMENTS } from './statements.js';

const zeros = STATEMENTS.map(() => 0);
const fitted: FittedSafety = {
  bundle: 'a-1.0',
  statements: STATEMENTS,
  harm: { weights: STATEMENTS.map((_, index) => (index === 0 ? 2 : 0)), bias: -1, threshold: 0.6 },
  self_harm: { weights: zeros, bias: -3, threshold: 0.5 },
};

describe('the fitted safety of a bundle', () => {
  it('weighs the logits, and takes the worst part of a request', () => {
    const mild = zeros;
    const grave = STATEMENTS.map((_, index) => (index === 0 ? 1.5 : 9));
    const { harm, self_harm } = fittedScores(fitted, [mild, grave, mild]);
    expect(harm).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
    expect(self_harm).toBeCloseTo(1 / (1 + Math.exp(3)), 12);
  });

  it('is read from every bundle that brings one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'safety-'));
    try {
      await mkdir(join(folder, 'a-1.0'));
      await mkdir(join(folder, 'b-1.0'));
      await writeFile(join(folder, 'a-1.0', 'safety.json'), JSON.stringify(fitted));
      expect([...(await readFittedSafeties(folder))]).toEqual([['a-1.0', fitted]]);
      expect((await readFittedSafeties(join(folder, 'nowhere'))).size).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is refused when it was fitted to other statements or is malformed', () => {
    expect(() => checked({ ...fitted, statements: ['another'] })).toThrow(SafetyFitError);
    expect(() => checked({ ...fitted, harm: { ...fitted.harm, weights: [1] } })).toThrow('harm is malformed');
    expect(() => checked({ ...fitted, self_harm: { ...fitted.self_harm, bias: Number.NaN } })).toThrow('self_harm');
  });

  it('never refuses anything for a bundle without a fit', () => {
    const { harm, self_harm } = unfitted('b-1.0');
    expect([harm.threshold, self_harm.threshold]).toEqual([1, 1]);
    expect(fittedScores(unfitted('b-1.0'), [STATEMENTS.map(() => 50)]).harm).toBeLessThanOrEqual(1);
  });
});
