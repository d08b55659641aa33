import { type LabelledRequest, probability, READING, SAFETY_CATEGORIES } from '@assay/api/safety';
import { seededRandom } from '../examples/random.js';
import { fitSafety, type Measured } from './fit.js';
import { categoryText } from './text.js';

const WIDTH = 20;

/** The first number of a reading tells harm, the sixth self-harm, the others are noise. */
function simulated(): Measured[] {
  const random = seededRandom(9);
  return Array.from({ length: 240 }, (_, n): Measured => {
    const label = { harm: n % 4 === 1, self_harm: n % 4 === 2 };
    const labelled: LabelledRequest = {
      id: `request-${n}`,
      kind: 'simulated',
      half: n % 8 < 4 ? 'fit' : 'measure',
      label,
      request: { questions: {} },
    };
    const noise = Array.from({ length: WIDTH }, () => random() * 2 - 1);
    const features = noise.map(
      (value, i) => value + (i === 0 && label.harm ? 3 : 0) + (i === 5 && label.self_harm ? 3 : 0),
    );
    return { labelled, features, asked: { harm: random(), self_harm: random() } };
  });
}

describe('fitting the safety check', () => {
  it('finds what tells the categories apart and reports it on the half it has not seen', () => {
    const { fitted, reports } = fitSafety('a-1.0', simulated());
    expect(fitted).toMatchObject({ bundle: 'a-1.0', reading: READING });
    expect(reports.map(({ category }) => category)).toEqual(SAFETY_CATEGORIES);
    for (const report of reports) {
      expect(report.measureHalf.positives).toBe(30);
      expect(report.measureHalf.precision).toBeGreaterThan(0.85);
      expect(report.measureHalf.recall).toBeGreaterThan(0.85);
      expect(report.outright.auc).toBeLessThan(0.7);
      expect(categoryText(report)).toContain('the model asked outright');
    }
    const asksForHarm = Array.from({ length: WIDTH }, (_, index) => (index === 0 ? 3 : 0));
    expect(probability(fitted.harm, asksForHarm)).toBeGreaterThan(probability(fitted.self_harm, asksForHarm));
  });

  it('is fitted without the measured half: its labels change nothing', () => {
    const honest = simulated();
    const turned = honest.map((each): Measured => {
      const { half, label } = each.labelled;
      const wrong = { harm: !label.harm, self_harm: !label.self_harm };
      return half === 'fit' ? each : { ...each, labelled: { ...each.labelled, label: wrong } };
    });
    expect(fitSafety('a-1.0', turned).fitted).toEqual(fitSafety('a-1.0', honest).fitted);
  });
});
