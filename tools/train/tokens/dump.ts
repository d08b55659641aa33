import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { INSTRUCTION_PIECES, statementTokens } from '../../../packages/inference/src/questions/statement.js';
import { cutBlocks } from '../../../packages/inference/src/text/blocks.js';
import { renderState } from '../../../packages/inference/src/text/render.js';
import { WordPiece } from '../../../packages/inference/src/text/wordpiece.js';
import { answerIndex, candidatesOf, type Example, QUESTION_TYPES } from './example.js';
import { SplitWriter, type TokenisedExample } from './writer.js';

const BLOCK_PIECES = 254;

const { values: options, positionals } = parseArgs({
  options: { vocab: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const folder = positionals[0];

if (options.help || !options.vocab || !options.out || !folder) {
  console.log(
    'dump.ts --vocab vocab.txt --out FOLDER DATA_FOLDER: the *.jsonl.gz of a folder as arrays of word pieces',
  );
  process.exit(options.help ? 0 : 2);
}

const wordpiece = WordPiece.fromVocab(readFileSync(options.vocab, 'utf8'));
const writer = new SplitWriter(options.out);
const datasets: { name: string; group: string; licence: string; source?: string }[] = [];
const refused: Record<string, number> = {};

for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith('.jsonl.gz')) continue;
  const lines = gunzipSync(readFileSync(join(folder, file)))
    .toString('utf8')
    .split('\n');
  const dataset = datasets.length;
  for (const line of lines) {
    if (line === '') continue;
    const example = JSON.parse(line) as Example;
    const { group, licence, source } = example;
    datasets[dataset] ??= { name: basename(file, '.jsonl.gz'), group, licence, source };
    const tokenised = tokenise(example, dataset);
    if (tokenised) writer.add(tokenised);
    else refused[file] = (refused[file] ?? 0) + 1;
  }
}
writer.close({ types: QUESTION_TYPES, datasets, refused });
console.log(JSON.stringify({ folder, examples: writer.count, refused }));

function tokenise(example: Example, dataset: number): TokenisedExample | undefined {
  const candidates = candidatesOf(example);
  const answer = answerIndex(example, candidates);
  if (answer === undefined || candidates.length > 256) return undefined;
  const texts = [...(example.role ? [example.role] : []), ...renderState(example.state)];
  const pieces = texts.map((text) => wordpiece.encode(text));
  const { overflow } = statementTokens(wordpiece, example.instructions ?? '', candidates[0]!.text);
  if (overflow.length > 0) pieces.push(overflow);
  return {
    dataset,
    type: QUESTION_TYPES.indexOf(example.type),
    answer,
    blocks: pieces.flatMap((text) => cutBlocks(text, BLOCK_PIECES, wordpiece)),
    instructions: wordpiece.encode(example.instructions ?? '').slice(-INSTRUCTION_PIECES),
    candidates: candidates.map((candidate) => wordpiece.encode(candidate.text)),
    values: candidates.map((candidate, index) =>
      Number.isFinite(Number(candidate.name)) ? Number(candidate.name) : index,
    ),
  };
}
