import { limits, stringify } from '@assay/contract';
import type { UploadedLine } from '../store/drafts.js';
import { readRequests, type UploadKind } from './read-requests.js';
import { UploadRefused } from './splitter.js';

const NDJSON = 'application/x-ndjson';
const ARRAY = 'application/json';

async function read(text: string, kind: UploadKind, refuse: (body: unknown) => string | null = () => null) {
  const found: UploadedLine[] = [];
  const chunks = (async function* () {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  })();
  const stored: Buffer[] = [];
  for await (const part of readRequests(chunks, kind, refuse, found)) stored.push(part);
  const blob = Buffer.concat(stored);
  return found.map((line) => ({
    ...line,
    id: JSON.parse(line.customId) as string,
    text: blob.subarray(line.start, line.start + line.bytes).toString(),
  }));
}
const refusal = async (text: string, kind: UploadKind = NDJSON) => {
  const error = await read(text, kind).catch((thrown: unknown) => thrown);
  if (!(error instanceof UploadRefused)) throw new Error('it was taken');
  return error;
};

const line = (id: unknown, body: unknown = {}) => stringify({ custom_id: id, body });

test.each([
  [NDJSON, (lines: string[]) => lines.join('\n')],
  [ARRAY, (lines: string[]) => `[${lines.join(',\n')}]`],
] as const)('%s: every request is found where it is stored', async (kind, joined) => {
  const ids = ['a', '__proto__', '10', '9', 'é☃😀', '"\\\n', '\u0000', ' '.repeat(512), '😀'.repeat(512)];
  const lines = ids.map((id, at) => line(id, { at, text: 'x'.repeat(at * 300) }));
  const found = await read(joined(lines), kind);
  expect(found.map(({ id }) => id)).toEqual(ids);
  expect(found.map(({ text }) => text.trim())).toEqual(lines);
  expect(new Set(found.map(({ digest }) => digest.toString('hex'))).size).toBe(ids.length);
});

test.each([
  ['not JSON', '{"custom_id":"b","body":{}'],
  ['a repeated name', '{"custom_id":"b","body":{"a":1,"a":2}}'],
  ['bytes after the value', '{"custom_id":"b","body":{}} x'],
  ['no object', '["b"]'],
  ['null', 'null'],
  ['no custom_id', '{"body":{}}'],
  ['an inherited custom_id', '{"__proto__":{"custom_id":"b"},"body":{}}'],
  ['a number as custom_id', line(1)],
  ['an empty custom_id', line('')],
  ['513 characters', line('😀'.repeat(513))],
  ['no body', '{"custom_id":"b"}'],
  ['another field', '{"custom_id":"b","body":{},"method":"POST"}'],
  ['a custom_id again', line('a')],
])('%s refuses the whole upload and names the line', async (_, text) => {
  for (const refused of [await refusal(`${line('a')}\n\n${text}\n`), await refusal(`[${line('a')},${text}]`, ARRAY)])
    expect(refused).toMatchObject({ problem: 'usage', message: expect.stringContaining('Line 2: ') });
});

test('a body may be as deep as a live one', async () => {
  const deep = (levels: number) => `{"custom_id":"a","body":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(await read(deep(64), NDJSON)).toHaveLength(1);
  expect(await refusal(deep(65))).toMatchObject({ line: 1 });
});

test('one request more than a batch may have is refused before it is stored', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => line(`r${at}`)).join('\n');
  expect(await read(many(limits.batchRequests.value), NDJSON)).toHaveLength(10_000);
  expect(await refusal(many(limits.batchRequests.value + 1))).toMatchObject({ problem: 'usage', line: undefined });
});

test('any body is kept, with the refusal of decide beside it', async () => {
  const found = await read([line('a', null), line('b', 7)].join('\n'), NDJSON, (body) => `refused ${body}`);
  expect(found.map(({ refusal }) => refusal)).toEqual(['refused null', 'refused 7']);
});
