import fc from 'fast-check';
import { seededRandom } from '../examples/random.js';
import { calibrationError, type Outcome, reliabilityBins } from './calibration.js';
import { bootstrapInterval, perfectCalibrationInterval } from './intervals.js';

const outcome = (probability: number, happened: boolean): Outcome => ({ probability, happened });

const outcomes = fc.array(
  fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), happened: fc.boolean() }),
  { minLength: 1, maxLength: 200 },
);

function simulated(n: number, seed: number, truth: (stated: number) => number): Outcome[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => {
    const probability = random();
    return outcome(probability, random() < truth(probability));
  });
}

describe('calibration error', () => {
  it('is the count-weighted gap of the bins, by hand', () => {
    const items = [outcome(0.9, true), outcome(0.9, false), outcome(0.8, true), outcome(0.1, false)];
    // bin [0.75, 1]: mean 0.8667, frequency 0.6667, 3 of 4; bin [0, 0.25): mean 0.1, frequency 0, 1 of 4
    expect(calibrationError(items, 4)).toBeCloseTo((3 * 0.2 + 0.1) / 4, 12);
  });

  it('puts 1 into the last bin and a bin edge into the bin that it opens', () => {
    const bins = reliabilityBins([outcome(1, true), outcome(0.5, true), outcome(0.499, false)], 2);
    expect(bins.map(({ count }) => count)).toEqual([1, 2]);
  });

  it('is 0 for certain and right, 1 for certain and wrong', () => {
    expect(calibrationError([outcome(1, true), outcome(0, false)], 15)).toBe(0);
    expect(calibrationError([outcome(1, false), outcome(0, true)], 15)).toBe(1);
  });

  it('lies in [0, 1], does not depend on order, and with one bin is the gap of the means', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 1, max: 30 }), (items, bins) => {
        const error = calibrationError(items, bins);
        const gap = Math.abs(items.reduce((s, o) => s + o.probability - (o.happened ? 1 : 0), 0)) / items.length;
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(1 + 1e-12);
        expect(calibrationError([...items].reverse(), bins)).toBeCloseTo(error, 9);
        expect(calibrationError(items, 1)).toBeCloseTo(gap, 9);
        expect(error).toBeGreaterThanOrEqual(gap - 1e-9);
      }),
    );
  });
});

describe('intervals', () => {
  it('a perfectly calibrated simulation stays inside the perfect interval in at least 9 of 10 seeds', () => {
    const inside = Array.from({ length: 20 }, (_, seed) => {
      const items = simulated(1000, seed, (stated) => stated);
      const [low, high] = perfectCalibrationInterval(items, 15, { samples: 200, seed: 7, level: 0.95 });
      const error = calibrationError(items, 15);
      return error >= low && error <= high;
    });
    expect(inside.filter(Boolean).length).toBeGreaterThanOrEqual(18);
  });

  it('an overconfident simulation lies outside the perfect interval, its bootstrap interval around the known error', () => {
    const items = simulated(5000, 3, (stated) => 0.5 + (stated - 0.5) * 0.4);
    const error = calibrationError(items, 15);
    expect(error).toBeGreaterThan(perfectCalibrationInterval(items, 15)[1]);
    // stated uniform in [0, 1], true gap 0.6 * |stated - 0.5|, mean 0.15
    const [low, high] = bootstrapInterval(items, (sample) => calibrationError(sample, 15));
    expect(low).toBeLessThan(0.15);
    expect(high).toBeGreaterThan(0.15);
  });

  it('is the same for the same seed', () => {
    const items = simulated(100, 1, (stated) => stated);
    const once = () => bootstrapInterval(items, (sample) => calibrationError(sample, 10));
    expect(once()).toEqual(once());
  });
});
