import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evalCommand } from './command.js';

const DATA = join(import.meta.dirname, '..', 'fixtures', 'quick', 'examples.jsonl');

async function run(...args: string[]): Promise<{ code: number; printed: string; progress: string }> {
  const lines = { printed: '', progress: '' };
  const code = await evalCommand(args, {
    print: (text) => {
      lines.printed += text;
    },
    progress: (text) => {
      lines.progress += text;
    },
  });
  return { code, ...lines };
}

describe('the eval command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eval-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('explains itself, and refuses a call that it cannot make sense of', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, printed: expect.stringContaining('--paired') });
    for (const args of [
      [],
      ['--chance'],
      ['--chance', '--bundle', 'x', DATA],
      ['--chance', '--limit', 'x', DATA],
      ['--no'],
    ])
      expect((await run(...args)).code).toBe(2);
  });

  it('reports every metric per set, type and bucket as table, JSON and SVG', async () => {
    const out = join(folder, 'out');
    const { code, printed } = await run('--chance', '--out', out, DATA);
    expect(code).toBe(0);
    for (const text of ['macro-F1', 'ECE', 'AURC', 'truth 1', 'choice 2', 'macro over 1 sets'])
      expect(printed).toContain(text);
    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
    expect(report.types.map(({ name }: { name: string }) => name)).toEqual(['choice', 'number', 'score', 'truth']);
    expect(report.all.accuracy).toBeGreaterThan(0.1);
    expect(report.all.accuracy).toBeLessThan(0.6);
    const files = await readdir(out);
    expect(files).toEqual(
      expect.arrayContaining(['all-reliability.svg', 'type-truth-risk-coverage.svg', 'report.txt']),
    );
    const diagram = await readFile(join(out, 'all-reliability.svg'), 'utf8');
    expect(diagram).toMatch(/^<svg [\s\S]+<\/svg>\n$/);
    expect(diagram).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('draws the same limited sample for the same seed', async () => {
    const once = await run('--chance', '--json', '--limit', '20', '--seed', '4', DATA);
    const again = await run('--chance', '--json', '--limit', '20', '--seed', '4', DATA);
    expect(JSON.parse(once.printed).all.n).toBe(20);
    expect(again.printed).toBe(once.printed);
  });

  it('records, and compares with what was recorded', async () => {
    const file = join(folder, 'recorded.json');
    expect((await run('--chance', '--record', file, DATA)).code).toBe(0);
    const compared = await run('--chance', '--paired', file, '--margin', '0', DATA);
    expect(compared).toMatchObject({ code: 0, progress: expect.stringContaining('0 lost, 0 gained') });
  });
});
