import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Example } from '../examples/example.js';
import { dataFiles, readExamples } from '../examples/files.js';
import { sample } from '../examples/random.js';

/** Licences that ask for no more than attribution; share-alike sets stay out of the repository. */
const FREE = /^(own|CC0|CC-BY-\d|MIT|Apache-2\.0|public domain)/;
/** Sets of insults: their rows have no place in a repository. */
const LEFT_OUT: ReadonlySet<string> = new Set(['davidson_hate', 'stormfront_hate']);
const LONGEST_STATE = 1500;

export const isFree = ({ licence }: Pick<Example, 'licence'>): boolean =>
  FREE.test(licence) && !licence.includes('-SA');

export interface DrawOptions {
  readonly perFile: number;
  readonly seed: number;
}

const short = ({ state }: Example) => JSON.stringify(state).length <= LONGEST_STATE;

export async function draw(paths: readonly string[], { perFile, seed }: DrawOptions): Promise<Example[]> {
  const drawn: Example[] = [];
  for (const path of await dataFiles(paths)) {
    const { name, examples } = await readExamples(path);
    if (LEFT_OUT.has(name)) continue;
    drawn.push(
      ...sample(
        examples.filter((example) => isFree(example) && short(example)),
        perFile,
        seed,
      ),
    );
  }
  return drawn;
}

export function notice(examples: readonly Example[]): string {
  const sets = new Map(examples.map((example) => [example.dataset, example]));
  const rows = [...sets.values()].map(({ dataset, licence, source }) => {
    const count = examples.filter((example) => example.dataset === dataset).length;
    return `| ${dataset} | ${count} | ${licence} | ${source} |`;
  });
  return [
    '# Attribution',
    '',
    'The examples beside this file are held-out rows of the sets below, turned into typed questions and otherwise unchanged.',
    'Each keeps the licence of its set.',
    '',
    '| set | examples | licence | source |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export async function writeDraw(folder: string, examples: readonly Example[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'examples.jsonl'), examples.map((example) => `${JSON.stringify(example)}\n`).join(''));
  await writeFile(join(folder, 'NOTICE.md'), notice(examples));
}
