import { mulberry } from '../testing/tiny-bundle.js';
import { Calibration, softmax } from './calibration.js';
import { fitCalibration, LABELS_PER_BUCKET, type Labelled } from './fit.js';

function drawn(probabilities: readonly number[], random: () => number): number {
  let left = random();
  return Math.max(
    0,
    probabilities.findIndex((probability) => {
      left -= probability;
      return left < 0;
    }),
  );
}

describe('fitCalibration', () => {
  const random = mulberry(5);
  const logit = () => 6 * random() - 3;

  it('finds the temperature that labels were drawn with, for each number of candidates', () => {
    const draw = (candidates: number, temperature: number): Labelled => {
      const ranks = Array.from({ length: candidates }, logit);
      const right = drawn(softmax(ranks.map((rank) => rank / temperature)), random);
      return { type: 'choice', logits: ranks.flatMap((rank) => [rank, 0]), right };
    };
    const labelled = [
      ...Array.from({ length: 1000 }, () => draw(2, 0.5)),
      ...Array.from({ length: 1000 }, () => draw(6, 2)),
    ];
    const buckets = fitCalibration(labelled);
    expect(buckets.map((one) => [one.min_candidates, one.max_candidates])).toEqual([
      [1, 2],
      [3, 256],
    ]);
    expect(Math.abs(buckets[0]!.temperature - 0.5)).toBeLessThan(0.15);
    expect(Math.abs(buckets[1]!.temperature - 2)).toBeLessThan(0.4);
  });

  it('finds bias and temperature of truths', () => {
    const labelled = Array.from({ length: 1500 }, (): Labelled => {
      const truth = logit();
      const right = random() < 1 / (1 + Math.exp(-(truth + 0.7) / 1.5)) ? 0 : 1;
      return { type: 'truth', logits: [0, truth], right };
    });
    const [bucket] = fitCalibration(labelled);
    expect(Math.abs(bucket!.bias! - 0.7)).toBeLessThan(0.3);
    expect(Math.abs(bucket!.temperature - 1.5)).toBeLessThan(0.4);
    expect(new Calibration([bucket!], []).probabilities('truth', [0, -bucket!.bias!])).toEqual([0.5]);
  });

  it('keeps one bucket where labels are few', () => {
    const few = Array.from(
      { length: LABELS_PER_BUCKET - 1 },
      (_, index): Labelled => ({
        type: 'score',
        logits: Array.from({ length: 2 * (2 + (index % 9)) }, logit),
        right: 0,
      }),
    );
    expect(fitCalibration(few)).toHaveLength(1);
    expect(fitCalibration([])).toEqual([]);
  });
});
