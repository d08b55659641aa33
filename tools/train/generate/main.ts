import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Example } from '../tokens/example.js';
import { events, type Generated, needles, options, records, rules } from './families.js';
import { CARRIERS, hostile } from './hostile.js';
import { Random } from './random.js';

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string' },
    train: { type: 'string' },
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '4000' },
    help: { type: 'boolean' },
  },
});

if (flags.help || !flags.out || !flags.train) {
  console.log(
    'main.ts --train TRAIN_FOLDER --out FOLDER [--seed 1] [--each 4000]: generated training data, a file per family',
  );
  process.exit(flags.help ? 0 : 2);
}

const FAMILIES: { readonly [name: string]: (random: Random) => Generated[] } = {
  records,
  needles,
  events,
  rules,
  options,
};
const each = Number(flags.each);
mkdirSync(flags.out, { recursive: true });

for (const [index, [name, make]] of Object.entries(FAMILIES).entries()) {
  const random = new Random(Number(flags.seed) * 1000 + index);
  const made: object[] = [];
  while (made.length < each) for (const example of make(random)) made.push(labelled(`made_${name}`, example));
  write(`made_${name}`, made);
}

const random = new Random(Number(flags.seed) * 1000 + 999);
const turned: object[] = [];
for (const carrier of CARRIERS) {
  const lines = gunzipSync(readFileSync(join(flags.train, `${carrier}.jsonl.gz`)))
    .toString('utf8')
    .trim()
    .split('\n');
  for (const line of random.some(lines, Math.ceil(each / CARRIERS.length))) {
    const example = hostile(random, JSON.parse(line) as Example);
    if (example) turned.push({ ...example, dataset: 'made_hostile', group: 'made_hostile' });
  }
}
write('made_hostile', turned);

function labelled(dataset: string, example: Generated): object {
  return { dataset, licence: 'own (generated)', group: dataset, split: 'train', ...example };
}

function write(name: string, examples: readonly object[]): void {
  const text = examples.map((example) => JSON.stringify(example)).join('\n');
  writeFileSync(join(flags.out!, `${name}.jsonl.gz`), gzipSync(`${text}\n`));
  console.log(name, examples.length);
}
