import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SplitWriter } from './writer.js';

describe('SplitWriter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-split-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const words = (name: string) => [...new Uint32Array(new Uint8Array(readFileSync(join(folder, name))).buffer)];

  it('lays examples out so that their parts can be found again', () => {
    const writer = new SplitWriter(folder);
    const example = { dataset: 3, type: 1, answer: 1, instructions: [7, 8], values: [0, 1] };
    writer.add({ ...example, blocks: [Int32Array.of(101, 5, 102)], candidates: [[9], [65_000, 11]] });
    writer.add({
      ...example,
      dataset: 4,
      blocks: [
        [101, 102],
        [101, 6, 102],
      ],
      candidates: [[], [12]],
    });
    writer.close({ types: ['truth', 'choice'] });
    const pieces = [...new Uint16Array(new Uint8Array(readFileSync(join(folder, 'pieces.u16'))).buffer)];
    expect(pieces).toEqual([101, 5, 102, 7, 8, 9, 65_000, 11, 101, 102, 101, 6, 102, 7, 8, 12]);
    expect(words('parts.u32')).toEqual([3, 5, 6, 8, 10, 13, 15, 15, 16]);
    expect(words('examples.u32')).toEqual([3, 1, 1, 1, 2, 4, 1, 1, 2, 2]);
    expect(JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'))).toEqual({
      types: ['truth', 'choice'],
      examples: 2,
    });
  });
});
