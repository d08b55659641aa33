import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Question } from '../questions/question.js';
import type { JsonValue } from '../text/json.js';

/** One labelled question, as a line of a data file has it. */
export interface LabelledExample {
  readonly state: JsonValue;
  readonly question: Question;
  /** The option, `true` or `false`, the level or the whole number. */
  readonly answer: string;
}

/** JSON Lines, gzipped or not. */
export async function* readExamples(file: string): AsyncGenerator<LabelledExample> {
  const bytes = createReadStream(file);
  const lines = createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const { state, answer, type, instructions, criteria, min, max, step } = JSON.parse(line);
    yield { state, question: { type, instructions, criteria, min, max, step }, answer: String(answer) };
  }
}
