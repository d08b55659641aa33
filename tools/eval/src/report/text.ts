import type { Report, Row } from './report.js';

const HEADER = ['', 'n', 'accuracy', '95 %', 'macro-F1', 'MAE', 'ECE', '95 %', 'if perfect', 'Brier', 'AURC'];

const figure = (value: number | null, digits = 3) => (value === null ? '' : value.toFixed(digits));
const interval = ([low, high]: readonly [number, number]) => `${low.toFixed(3)}-${high.toFixed(3)}`;

function cells(row: Row): string[] {
  return [
    row.name,
    String(row.n),
    figure(row.accuracy),
    interval(row.accuracyInterval),
    figure(row.macroF1),
    figure(row.meanAbsoluteError, 2),
    figure(row.calibrationError),
    interval(row.calibrationInterval),
    interval(row.perfectCalibrationInterval),
    figure(row.brier),
    figure(row.aurc),
  ];
}

export function table(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const section = (title: string, rows: readonly Row[]) => `${title}\n${table([HEADER, ...rows.map(cells)])}`;

export function reportText(report: Report): string {
  const { macro } = report;
  const parts = [
    `${report.predictor}: ${report.all.n} answers, ECE over ${report.bins} bins, seed ${report.seed}`,
    section('per set', report.files),
    section('per type', report.types),
    section('per type and number of candidates', report.buckets),
    section('together', [report.all]),
    `macro over ${macro.sets} sets: accuracy ${figure(macro.accuracy)}, ECE ${figure(macro.calibrationError)}, Brier ${figure(macro.brier)}, AURC ${figure(macro.aurc)}`,
    ...report.unanswered.map(({ file, count, reasons }) => `${file}: ${count} not answered: ${reasons.join('; ')}`),
  ];
  return `${parts.join('\n\n')}\n`;
}
