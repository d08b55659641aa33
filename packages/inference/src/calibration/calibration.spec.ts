import { Calibration, softmax } from './calibration.js';

describe('Calibration', () => {
  const calibration = new Calibration(
    [
      { type: 'truth', min_candidates: 1, max_candidates: 1, temperature: 2, bias: 1 },
      { type: 'choice', min_candidates: 2, max_candidates: 2, temperature: 1 },
      { type: 'choice', min_candidates: 3, max_candidates: 10, temperature: 4 },
    ],
    [],
  );

  it('divides by the temperature of the type and the number of candidates', () => {
    expect(calibration.probabilities('choice', [1, 9, 3, 9])).toEqual(softmax([1, 3]));
    expect(calibration.probabilities('choice', [4, 0, 8, 0, 0, 0])).toEqual(softmax([1, 2, 0]));
  });

  it('takes the nearest bucket where none was fitted', () => {
    const many = Array.from({ length: 22 }, (_, index) => index);
    expect(calibration.probabilities('choice', many)).toEqual(
      softmax(many.filter((_, at) => at % 2 === 0).map((v) => v / 4)),
    );
    expect(calibration.probabilities('score', [1, 0, 2, 0])).toEqual(softmax([1, 2]));
  });

  it('shifts and scales the truth logit', () => {
    expect(calibration.probabilities('truth', [99, -1])).toEqual([0.5]);
    expect(calibration.probabilities('truth', [0, 3])[0]).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
  });
});

describe('softmax', () => {
  it('gives the same bits in any order', () => {
    const logits = Array.from({ length: 200 }, (_, index) => Math.sin(index) * 5);
    const reversed = softmax([...logits].reverse()).reverse();
    expect(reversed).toEqual(softmax(logits));
  });

  it('stands extreme logits', () => {
    expect(softmax([1000, -1000])).toEqual([1, 0]);
  });
});
