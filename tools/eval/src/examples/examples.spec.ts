import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { candidateNames, parseExample, questionOf } from './example.js';
import { dataFiles, readExamples } from './files.js';
import { sample } from './random.js';

const line = (part: object) =>
  JSON.stringify({
    dataset: 'set',
    licence: 'own',
    source: 'here',
    split: 'eval',
    group: 'group',
    state: { a: 1 },
    instructions: 'asked',
    criteria: null,
    min: null,
    max: null,
    step: null,
    ...part,
  });
const truth = line({ type: 'truth', answer: true });

describe('examples', () => {
  it('become the question that a caller would send, absent fields left out', () => {
    const number = parseExample(line({ type: 'number', answer: 3, min: 1, max: 5, step: 2 }), 'here');
    expect(questionOf(number)).toEqual({ type: 'number', instructions: 'asked', min: 1, max: 5, step: 2 });
    expect(candidateNames(number)).toEqual(['1', '3', '5']);
    const bare = parseExample(line({ type: 'score', answer: 3, instructions: null }), 'here');
    expect(questionOf(bare)).toEqual({ type: 'score' });
    expect(candidateNames(bare)).toHaveLength(5);
  });

  it('name the line that is wrong', () => {
    expect(() => parseExample(line({ type: 'truth', answer: 'yes' }), 'x, line 3')).toThrow('x, line 3');
    expect(() => parseExample(line({ type: 'choice', answer: 'c', criteria: { a: '' } }), 'x')).toThrow('options');
    expect(() => parseExample(line({ type: 'number', answer: 1 }), 'x')).toThrow('min and max');
    expect(() => parseExample(line({ type: 'colour', answer: 1 }), 'x')).toThrow('colour');
  });

  it('are read from .jsonl and .jsonl.gz, one by one or by folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'examples-'));
    try {
      await writeFile(join(folder, 'b.jsonl'), `${truth}\n\n${truth}\n`);
      await writeFile(join(folder, 'a.jsonl.gz'), gzipSync(`${truth}\n`));
      await writeFile(join(folder, 'notes.txt'), 'not data');
      const files = await Promise.all((await dataFiles([folder])).map(readExamples));
      expect(files.map(({ name, examples }) => [name, examples.length])).toEqual([
        ['a', 1],
        ['b', 2],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are drawn by seed: no repeats, original order, the same again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.nat(80), fc.nat(), (size, count, seed) => {
        const items = Array.from({ length: size }, (_, index) => index);
        const drawn = sample(items, count, seed);
        expect(drawn).toHaveLength(Math.min(size, count));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect([...drawn].sort((a, b) => a - b)).toEqual(drawn);
        expect(sample(items, count, seed)).toEqual(drawn);
      }),
    );
  });
});
