import { readFile, writeFile } from 'node:fs/promises';
import { answerFile, scoredFile } from './evaluate.js';
import { dataFiles, readExamples } from './examples/files.js';
import type { EvalOptions } from './options.js';
import { compare, comparisonText } from './paired/compare.js';
import { type Recording, record } from './paired/recording.js';
import type { Predictor } from './predictors/predictor.js';
import { report } from './report/report.js';
import { reportText } from './report/text.js';
import { writeReport } from './report/write.js';

export interface Output {
  print(text: string): void;
  progress(text: string): void;
}

/** Asks, reports, records and compares, as the options say; false when a paired comparison failed. */
export async function measure(predictor: Predictor, options: EvalOptions, output: Output): Promise<boolean> {
  const answered = [];
  for (const path of await dataFiles(options.data)) {
    const file = await answerFile(predictor, await readExamples(path), options);
    answered.push(file);
    output.progress(`${file.name}: ${file.answered.length}`);
  }
  const files = answered.map(scoredFile);
  const made = report(predictor.name, files, { bins: options.bins, seed: options.seed });
  output.print(options.json ? JSON.stringify(made, null, 2) : reportText(made));
  if (options.out !== undefined) await writeReport(options.out, made, files);

  const now = record(
    predictor.name,
    answered.flatMap((file) => file.answered),
  );
  if (options.record !== undefined) await writeFile(options.record, `${JSON.stringify(now, null, 1)}\n`);
  if (options.paired === undefined) return true;
  const recorded = JSON.parse(await readFile(options.paired, 'utf8')) as Recording;
  const comparison = compare(recorded, now, options.margin);
  output.progress(comparisonText(comparison, options.margin));
  return comparison.passed;
}
