import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExamples } from '../examples/files.js';
import { isFree, notice } from './draw.js';

const QUICK = join(import.meta.dirname, '..', '..', 'fixtures', 'quick');

describe('the quick set', () => {
  it('takes licences that ask for attribution at most', () => {
    for (const licence of ['CC0-1.0', 'MIT', 'CC-BY-4.0 (UCI)', 'own (generated)', 'Apache-2.0 (CC-BY-4.0 data)'])
      expect(isFree({ licence })).toBe(true);
    for (const licence of [
      'CC-BY-SA-4.0',
      'CC-BY-NC / x',
      'unclear (eval only)',
      'own (generated) over CC-BY/CC-BY-SA carriers',
    ])
      expect(isFree({ licence })).toBe(false);
  });

  it('holds a few hundred free examples of all types, each set attributed in the notice beside it', async () => {
    const { examples } = await readExamples(join(QUICK, 'examples.jsonl'));
    expect(examples.length).toBeGreaterThanOrEqual(250);
    expect(examples.every(isFree)).toBe(true);
    expect(examples.every(({ split }) => split === 'eval_in')).toBe(true);
    expect(new Set(examples.map(({ type }) => type)).size).toBe(4);
    expect(await readFile(join(QUICK, 'NOTICE.md'), 'utf8')).toBe(notice(examples));
  });
});
