export interface Labelled {
  readonly expected: string;
  readonly predicted: string;
}

export function accuracy(items: readonly Labelled[]): number {
  return items.filter(({ expected, predicted }) => expected === predicted).length / items.length;
}

/** The unweighted mean of F1 over the labels that occur as the expected answer. */
export function macroF1(items: readonly Labelled[]): number {
  const labels = [...new Set(items.map(({ expected }) => expected))];
  const scores = labels.map((label) => {
    const hit = items.filter(({ expected, predicted }) => expected === label && predicted === label).length;
    const asked = items.filter(({ expected }) => expected === label).length;
    const said = items.filter(({ predicted }) => predicted === label).length;
    return (2 * hit) / (asked + said);
  });
  return mean(scores);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
