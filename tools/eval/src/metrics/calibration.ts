const { abs, floor, max, min } = Math;

/** A probability that was stated for an event, and whether the event happened. */
export interface Outcome {
  readonly probability: number;
  readonly happened: boolean;
}

export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanProbability: number;
  readonly frequency: number;
}

const binOf = (probability: number, bins: number): number => min(bins - 1, max(0, floor(probability * bins)));

/** Equal-width bins over [0, 1]; an empty bin has count 0 and no meaning beyond its edges. */
export function reliabilityBins(outcomes: readonly Outcome[], bins: number): ReliabilityBin[] {
  const count = new Float64Array(bins);
  const probability = new Float64Array(bins);
  const happened = new Float64Array(bins);
  for (const outcome of outcomes) {
    const bin = binOf(outcome.probability, bins);
    count[bin]! += 1;
    probability[bin]! += outcome.probability;
    happened[bin]! += outcome.happened ? 1 : 0;
  }
  return Array.from({ length: bins }, (_, bin) => ({
    from: bin / bins,
    to: (bin + 1) / bins,
    count: count[bin]!,
    meanProbability: count[bin] ? probability[bin]! / count[bin]! : 0,
    frequency: count[bin] ? happened[bin]! / count[bin]! : 0,
  }));
}

/** Expected calibration error: the mean gap between stated probability and frequency, weighted by the bins' counts. */
export function calibrationError(outcomes: readonly Outcome[], bins: number): number {
  if (outcomes.length === 0) return Number.NaN;
  const gaps = reliabilityBins(outcomes, bins).map((bin) => bin.count * abs(bin.meanProbability - bin.frequency));
  return gaps.reduce((sum, gap) => sum + gap, 0) / outcomes.length;
}
