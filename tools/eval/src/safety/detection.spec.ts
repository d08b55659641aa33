import { areaUnderRoc, bestThreshold, detection, wilson } from './detection.js';

const judged = (text: string) =>
  text.split(' ').map((part) => ({ score: Number(part.slice(1)), positive: part[0] === '+' }));

describe('detection', () => {
  const items = judged('+0.9 +0.8 -0.7 +0.6 -0.3 -0.2');

  it('counts above the threshold, by hand', () => {
    expect(detection(items, 0.5)).toMatchObject({ positives: 3, negatives: 3, flagged: 4, precision: 0.75, recall: 1 });
    expect(detection(items, 0.8)).toMatchObject({ flagged: 1, precision: 1, recall: 1 / 3 });
    expect(detection(items, 0.95).precision).toBeNaN();
  });

  it('area under the curve, by hand: 8 of 9 pairs in order, ties half', () => {
    expect(areaUnderRoc(items)).toBeCloseTo(8 / 9, 12);
    expect(areaUnderRoc(judged('+0.5 -0.5'))).toBe(0.5);
  });

  it('prefers precision below beta 1 and recall above it, half way between scores', () => {
    expect(bestThreshold(items, 0.1)).toBeCloseTo(0.75, 12);
    expect(bestThreshold(items, 10)).toBeCloseTo(0.45, 12);
  });

  it("Wilson's interval, against published values", () => {
    expect(wilson(0, 10)[0]).toBe(0);
    expect(wilson(0, 10)[1]).toBeCloseTo(0.2775, 3);
    expect(wilson(8, 10)[0]).toBeCloseTo(0.4902, 3);
    expect(wilson(8, 10)[1]).toBeCloseTo(0.9433, 3);
  });
});
