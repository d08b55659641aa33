import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scored } from '../metrics/scored.js';
import { reliabilityDiagram, riskCoverageDiagram } from './diagrams.js';
import type { Report, ScoredFile } from './report.js';
import { reportText } from './text.js';

/** `report.json`, `report.txt` and two diagrams for each set, each type and everything together. */
export async function writeReport(folder: string, report: Report, files: readonly ScoredFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(folder, 'report.txt'), reportText(report));
  const all = files.flatMap(({ scored }) => scored);
  const groups: (readonly [string, readonly Scored[]])[] = [
    ['all', all],
    ...[...Map.groupBy(all, ({ type }) => type)].map(([type, items]) => [`type-${type}`, items] as const),
    ...files.map(({ name, scored }) => [`set-${name}`, scored] as const),
  ];
  for (const [name, items] of groups.filter(([, items]) => items.length > 0)) {
    const title = `${report.predictor}: ${name.replace('-', ' ')}`;
    await writeFile(join(folder, `${name}-reliability.svg`), reliabilityDiagram(title, items, report.bins));
    await writeFile(join(folder, `${name}-risk-coverage.svg`), riskCoverageDiagram(title, items));
  }
}
