export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly marks: readonly Mark[];
}

/** In the unit square, y upwards. */
export type Mark =
  | {
      readonly kind: 'line';
      readonly points: readonly (readonly [number, number])[];
      readonly colour: string;
      readonly dashed?: boolean;
    }
  | {
      readonly kind: 'bar';
      readonly from: number;
      readonly to: number;
      readonly height: number;
      readonly colour: string;
      readonly label: string;
    }
  | {
      readonly kind: 'dot';
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      readonly colour: string;
      readonly label: string;
    };

const SIZE = 360;
const LEFT = 56;
const TOP = 36;
const WIDTH = LEFT + SIZE + 20;
const HEIGHT = TOP + SIZE + 52;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!);
const at = (value: number) => Number(value.toFixed(2));
const x = (value: number) => at(LEFT + value * SIZE);
const y = (value: number) => at(TOP + (1 - value) * SIZE);

function drawn(mark: Mark): string {
  switch (mark.kind) {
    case 'line': {
      const points = mark.points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
      const dash = mark.dashed ? ' stroke-dasharray="4 4"' : '';
      return `<polyline points="${points}" fill="none" stroke="${mark.colour}" stroke-width="2"${dash}/>`;
    }
    case 'bar':
      return `<rect x="${x(mark.from)}" y="${y(mark.height)}" width="${at((mark.to - mark.from) * SIZE - 1)}" height="${at(mark.height * SIZE)}" fill="${mark.colour}"><title>${escaped(mark.label)}</title></rect>`;
    case 'dot':
      return `<circle cx="${x(mark.x)}" cy="${y(mark.y)}" r="${at(mark.radius)}" fill="${mark.colour}"><title>${escaped(mark.label)}</title></circle>`;
  }
}

function axes({ xLabel, yLabel }: Plot): string[] {
  const ticks = TICKS.flatMap((tick) => [
    `<line x1="${x(tick)}" y1="${y(0)}" x2="${x(tick)}" y2="${y(0) + 4}" stroke="#555"/>`,
    `<text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle">${tick}</text>`,
    `<line x1="${x(0) - 4}" y1="${y(tick)}" x2="${x(0)}" y2="${y(tick)}" stroke="#555"/>`,
    `<text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
  ]);
  return [
    `<rect x="${LEFT}" y="${TOP}" width="${SIZE}" height="${SIZE}" fill="none" stroke="#555"/>`,
    ...ticks,
    `<text x="${x(0.5)}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text x="16" y="${y(0.5)}" text-anchor="middle" transform="rotate(-90 16 ${y(0.5)})">${escaped(yLabel)}</text>`,
  ];
}

export function svg(plot: Plot): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-size="14">${escaped(plot.title)}</text>`,
    ...plot.marks.map(drawn),
    ...axes(plot),
    '</svg>',
    '',
  ].join('\n');
}
