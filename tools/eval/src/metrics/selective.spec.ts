import fc from 'fast-check';
import { areaUnderRiskCoverage, riskCoverage } from './selective.js';

const claim = (confidence: number, correct: boolean) => ({ confidence, correct });

describe('risk and coverage', () => {
  it('by hand', () => {
    const claims = [claim(0.6, true), claim(0.9, true), claim(0.8, false), claim(0.5, false)];
    expect(riskCoverage(claims)).toEqual([
      { coverage: 0.25, risk: 0 },
      { coverage: 0.5, risk: 0.5 },
      { coverage: 0.75, risk: 1 / 3 },
      { coverage: 1, risk: 0.5 },
    ]);
    expect(areaUnderRiskCoverage(claims)).toBeCloseTo((0 + 0.5 + 1 / 3 + 0.5) / 4, 12);
  });

  it('spreads the errors of equal confidences evenly', () => {
    const claims = [claim(0.7, true), claim(0.7, false)];
    expect(riskCoverage(claims).map(({ risk }) => risk)).toEqual([0.5, 0.5]);
  });

  it('ends at the error rate, does not depend on order, and is least when errors come last', () => {
    const claims = fc.array(
      fc.record({ confidence: fc.integer({ min: 0, max: 10 }).map((n) => n / 10), correct: fc.boolean() }),
      { minLength: 1, maxLength: 80 },
    );
    fc.assert(
      fc.property(claims, (items) => {
        const area = areaUnderRiskCoverage(items);
        const wrong = items.filter(({ correct }) => !correct).length / items.length;
        const best = items.map(({ correct }) => claim(correct ? 1 : 0, correct));
        expect(riskCoverage(items).at(-1)!.risk).toBeCloseTo(wrong, 12);
        expect(areaUnderRiskCoverage([...items].reverse())).toBeCloseTo(area, 12);
        expect(areaUnderRiskCoverage(best)).toBeLessThanOrEqual(area + 1e-12);
      }),
    );
  });
});
