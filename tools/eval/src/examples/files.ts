import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Example, ExampleError, parseExample } from './example.js';

export interface ExampleFile {
  readonly name: string;
  readonly examples: readonly Example[];
}

const DATA_FILE = /\.jsonl(\.gz)?$/;

/** The data files that a path names: the file itself, or every data file of a folder in order of name. */
export async function dataFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if ((await stat(path)).isFile()) found.push(path);
    else
      found.push(
        ...(await readdir(path))
          .filter((name) => DATA_FILE.test(name))
          .sort()
          .map((name) => join(path, name)),
      );
  }
  return found;
}

export async function readExamples(path: string): Promise<ExampleFile> {
  const bytes = await readFile(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const name = basename(path).replace(DATA_FILE, '');
  const examples = text
    .split('\n')
    .map((line, index) => ({ line, where: `${name}, line ${index + 1}` }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, where }) => {
      try {
        return parseExample(line, where);
      } catch (error) {
        throw error instanceof ExampleError ? error : new ExampleError(where, 'not JSON');
      }
    });
  return { name, examples };
}
