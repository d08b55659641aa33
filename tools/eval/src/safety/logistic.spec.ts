import { seededRandom } from '../examples/random.js';
import { crossPredicted, fitLogistic, logLoss, predicted, type Row } from './logistic.js';

/** Labels drawn from a known logistic model over two features, with a third that says nothing. */
function drawn(n: number, seed: number): Row[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => {
    const features = [random() * 4 - 2, random() * 40 - 20, random()];
    const truth = predicted({ weights: [1.5, -0.2, 0], bias: 0.5 }, features);
    return { features, positive: random() < truth };
  });
}

describe('logistic regression', () => {
  it('finds the weights that the labels were drawn from', () => {
    const { weights, bias } = fitLogistic(drawn(4000, 1), 0.1);
    expect(weights[0]).toBeCloseTo(1.5, 0);
    expect(weights[1]).toBeCloseTo(-0.2, 1);
    expect(Math.abs(weights[2]!)).toBeLessThan(0.4);
    expect(bias).toBeCloseTo(0.5, 0);
  });

  it('shrinks under a penalty, to the base rate in the end', () => {
    const rows = drawn(400, 2);
    const { weights, bias } = fitLogistic(rows, 1e4);
    const rate = rows.filter(({ positive }) => positive).length / rows.length;
    expect(Math.abs(weights[0]!)).toBeLessThan(0.1);
    expect(predicted({ weights: [0, 0, 0], bias }, [0, 0, 0])).toBeCloseTo(rate, 1);
  });

  it('does not know its fold: noise cannot be predicted across folds', () => {
    const random = seededRandom(5);
    const noise = Array.from({ length: 60 }, () => ({
      features: Array.from({ length: 20 }, random),
      positive: random() < 0.5,
    }));
    const fit = fitLogistic(noise, 0.01);
    const own = noise.map(({ features }) => predicted(fit, features));
    expect(logLoss(noise, own)).toBeLessThan(logLoss(noise, crossPredicted(noise, 5, 0.01, 1)));
    expect(logLoss(noise, crossPredicted(noise, 5, 0.01, 1))).toBeGreaterThan(Math.log(2) * 0.95);
  });
});
