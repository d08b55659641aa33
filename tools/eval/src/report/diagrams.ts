import { reliabilityBins } from '../metrics/calibration.js';
import type { Scored } from '../metrics/scored.js';
import { riskCoverage } from '../metrics/selective.js';
import { type Mark, svg } from './svg.js';

const BLUE = '#3b6ea8';
const PALE = '#c6d6e8';
const GREY = '#888';
const CURVE_POINTS = 400;

/** Dots on the diagonal are calibrated; a pale bar shows the share of the answers in its bin. */
export function reliabilityDiagram(title: string, items: readonly Scored[], bins: number): string {
  const filled = reliabilityBins(
    items.map(({ outcome }) => outcome),
    bins,
  ).filter(({ count }) => count > 0);
  const marks: Mark[] = [
    ...filled.map(
      (bin): Mark => ({
        kind: 'bar',
        from: bin.from,
        to: bin.to,
        height: bin.count / items.length,
        colour: PALE,
        label: `${bin.count} of ${items.length} answers`,
      }),
    ),
    {
      kind: 'line',
      points: [
        [0, 0],
        [1, 1],
      ],
      colour: GREY,
      dashed: true,
    },
    { kind: 'line', points: filled.map((bin) => [bin.meanProbability, bin.frequency] as const), colour: BLUE },
    ...filled.map(
      (bin): Mark => ({
        kind: 'dot',
        x: bin.meanProbability,
        y: bin.frequency,
        radius: 2 + 6 * Math.sqrt(bin.count / items.length),
        colour: BLUE,
        label: `said ${bin.meanProbability.toFixed(3)}, was ${bin.frequency.toFixed(3)}, n ${bin.count}`,
      }),
    ),
  ];
  return svg({ title, xLabel: 'stated probability', yLabel: 'how often it was so', marks });
}

export function riskCoverageDiagram(title: string, items: readonly Scored[]): string {
  const curve = riskCoverage(items);
  const every = Math.max(1, Math.ceil(curve.length / CURVE_POINTS));
  const points = curve.filter((_, index) => index % every === 0 || index === curve.length - 1);
  return svg({
    title,
    xLabel: 'share of the answers kept, most confident first',
    yLabel: 'share of them wrong',
    marks: [{ kind: 'line', points: points.map(({ coverage, risk }) => [coverage, risk] as const), colour: BLUE }],
  });
}
