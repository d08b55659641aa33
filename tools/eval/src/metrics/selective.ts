/** An answer that could be withheld when its confidence is low. */
export interface Claim {
  readonly confidence: number;
  readonly correct: boolean;
}

export interface CoveragePoint {
  readonly coverage: number;
  readonly risk: number;
}

/**
 * The share of wrong answers among the most confident ones, for every coverage from 1/n to 1. Answers of one confidence
 * cannot be told apart, so their errors are spread evenly: the order of the input does not matter.
 */
export function riskCoverage(claims: readonly Claim[]): CoveragePoint[] {
  const sorted = [...claims].sort((a, b) => b.confidence - a.confidence);
  const points: CoveragePoint[] = [];
  let errors = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]!.confidence === sorted[start]!.confidence) end++;
    const wrong = sorted.slice(start, end).filter(({ correct }) => !correct).length;
    for (let i = start; i < end; i++) {
      const spread = errors + (wrong * (i - start + 1)) / (end - start);
      points.push({ coverage: (i + 1) / sorted.length, risk: spread / (i + 1) });
    }
    errors += wrong;
    start = end;
  }
  return points;
}

/** Area under the risk-coverage curve: 0 is never wrong; a lower value also means that errors come with low confidence. */
export function areaUnderRiskCoverage(claims: readonly Claim[]): number {
  return riskCoverage(claims).reduce((sum, { risk }) => sum + risk, 0) / claims.length;
}
