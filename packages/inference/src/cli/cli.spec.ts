import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBundle } from '../bundle/load.js';
import { writeTinyBundle } from '../testing/tiny-bundle.js';
import { calibrate } from './calibrate.js';
import { list } from './list.js';
import { verify } from './verify.js';

describe('models', () => {
  let root: string;
  let folder: string;
  let said: string[];
  const say = (line: string) => said.push(line);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-cli-'));
    folder = writeTinyBundle(root);
    said = [];
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('list names what is installed', async () => {
    expect(await list.run(['--models', root], say)).toBe(0);
    expect(said).toEqual([expect.stringMatching(/^tiny-1.0\tprefix-encoder\t0.6 MB\ttiny-latest$/)]);
  });

  it('verify asks the model in different company', async () => {
    expect(await verify.run(['--models', root], say)).toBe(0);
    expect(said).toEqual(['tiny-1.0\tfiles match\tsame to the bit']);
    appendFileSync(join(folder, 'weights.bin'), 'x');
    await expect(verify.run(['--models', root], say)).rejects.toThrow('weights.bin');
  });

  it('calibrate fits labelled examples and leaves a bundle that loads', async () => {
    const line = (index: number) => ({
      state: `case ${index}`,
      type: index % 2 ? 'truth' : 'choice',
      instructions: 'x',
      ...(index % 2 ? {} : { criteria: { a: null, b: 'c' } }),
      answer: index % 2 ? index % 3 === 0 : 'b',
    });
    const examples = join(root, 'labelled.jsonl');
    const lines = Array.from({ length: 40 }, (_, index) => JSON.stringify(line(index)));
    writeFileSync(examples, [...lines, JSON.stringify({ ...line(0), answer: 'not an option' })].join('\n'));
    const before = readFileSync(join(folder, 'calibration.json'), 'utf8');
    expect(await calibrate.run([folder, examples], say)).toBe(0);
    expect(said.at(-1)).toBe('tiny-1.0: fitted on 40 labels');
    expect(readFileSync(join(folder, 'calibration.json'), 'utf8')).not.toBe(before);
    await expect(loadBundle(folder)).resolves.toBeDefined();
  });
});
