import { type LabelledRequest, probability, SAFETY_CATEGORIES, STATEMENTS } from '@assay/api/safety';
import { seededRandom } from '../examples/random.js';
import { fitSafety, type Measured } from './fit.js';
import { categoryText } from './text.js';

/** The first statement's logit tells harm, the sixth's tells self-harm, the others are noise. */
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
    const noise = STATEMENTS.map(() => random() * 2 - 1);
    const features = noise.map(
      (value, i) => value + (i === 0 && label.harm ? 3 : 0) + (i === 5 && label.self_harm ? 3 : 0),
    );
    return { labelled, features };
  });
}

describe('fitting the safety check', () => {
  it('finds what tells the categories apart and reports it on the half it has not seen', () => {
    const { fitted, reports } = fitSafety('a-1.0', simulated());
    expect(fitted).toMatchObject({ bundle: 'a-1.0', statements: STATEMENTS });
    expect(reports.map(({ category }) => category)).toEqual(SAFETY_CATEGORIES);
    for (const report of reports) {
      expect(report.measureHalf.positives).toBe(30);
      expect(report.measureHalf.precision).toBeGreaterThan(0.85);
      expect(report.measureHalf.recall).toBeGreaterThan(0.85);
      expect(categoryText(report)).toContain(report.alone.statement);
    }
    expect(reports[0]!.alone.statement).toBe(STATEMENTS[0]);
    const asksForHarm = STATEMENTS.map((_, index) => (index === 0 ? 3 : 0));
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
