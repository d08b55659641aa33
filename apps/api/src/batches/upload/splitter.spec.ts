import { JsonArray } from './json-array.js';
import { JsonLines } from './json-lines.js';
import { type Splitter, UploadRefused } from './splitter.js';

const LIMIT = 64;

/** Feeds the text in chunks of `size` bytes, as a socket might. */
function split(splitter: Splitter, text: string, size: number): string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for (const piece of splitter.push(bytes.subarray(at, at + size))) found.push(piece.toString());
  for (const piece of splitter.end()) found.push(piece.toString());
  return found;
}

const sizes = [1, 2, 3, 7, 1_000];
const refusal = (work: () => unknown): UploadRefused => {
  try {
    work();
  } catch (error) {
    if (error instanceof UploadRefused) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe.each(sizes)('in chunks of %i bytes', (size) => {
  test.each([
    ['', []],
    ['\n\n  \r\n', []],
    ['\n\n\n{"a":1}\n\n\n\n{"b":2}\n\n', ['{"a":1}', '{"b":2}']],
    ['{"a":1}', ['{"a":1}']],
    ['{"a":1}\n{"b":"é☃"}\r\n\n3\n', ['{"a":1}', '{"b":"é☃"}\r', '3']],
  ])('JSON Lines %j', (text, expected) => {
    expect(split(new JsonLines(LIMIT), text, size)).toEqual(expected);
  });

  test.each([
    ['[]', []],
    [' [ ] \n', []],
    ['[{"a":[1,2]},{"b":"],[\\"}"} , 3]', ['{"a":[1,2]}', '{"b":"],[\\"}"} ', '3']],
    ['[{"a":"\\\\"},{"é":"☃"}]', ['{"a":"\\\\"}', '{"é":"☃"}']],
  ])('JSON array %j', (text, expected) => {
    expect(split(new JsonArray(LIMIT), text, size)).toEqual(expected);
  });

  test.each([
    ['', undefined],
    ['{}', undefined],
    ['[] x', undefined],
    ['[', 1],
    ['[{"a":1}', 1],
    ['[{"a":1},', 2],
    ['[{"a":1},]', 2],
    ['[,{"a":1}]', 1],
    ['[{"a":"]', 1],
  ])('refuses %j as an array', (text, line) => {
    const refused = refusal(() => split(new JsonArray(LIMIT), text, size));
    expect(refused.problem).toBe('usage');
    expect(refused.line).toBe(line);
  });

  test('refuses a request over the limit, and takes one at the limit', () => {
    const at = `"${'x'.repeat(LIMIT - 2)}"`;
    expect(split(new JsonLines(LIMIT), `1\n${at}\n`, size)).toEqual(['1', at]);
    expect(split(new JsonArray(LIMIT), `[1,${at}]`, size)).toEqual(['1', at]);
    for (const [splitter, text] of [
      [new JsonLines(LIMIT), `1\n${at}x\n`],
      [new JsonArray(LIMIT), `[1,${at}x]`],
    ] as const) {
      const refused = refusal(() => split(splitter, text, size));
      expect(refused).toMatchObject({ problem: 'too_large', line: 2 });
    }
  });
});
