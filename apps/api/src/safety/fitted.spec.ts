import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checked, type FittedSafety, fittedScores, readFittedSafeties, SafetyFitError } from './fitted.js';
import { READING } from './reading.js';

const fitted: FittedSafety = {
  bundle: 'a-1.0',
  reading: READING,
  harm: { weights: [2, 0, 0], bias: -1, threshold: 0.6 },
  self_harm: { weights: [0, 0, 0], bias: -3, threshold: 0.5 },
};

describe('the fitted safety of a bundle', () => {
  it('weighs the reading, and takes the worst part of a request', () => {
    const { harm, self_harm } = fittedScores(fitted, [
      [0, 0, 0],
      [1.5, 9, 9],
      [-1, 0, 0],
    ]);
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

  it('is refused when it was fitted to other readings or is malformed', () => {
    expect(() => checked({ ...fitted, reading: READING + 1 })).toThrow(SafetyFitError);
    expect(() => checked({ ...fitted, harm: { ...fitted.harm, weights: [] } })).toThrow('harm is malformed');
    expect(() => checked({ ...fitted, self_harm: { ...fitted.self_harm, bias: Number.NaN } })).toThrow('self_harm');
  });
});
