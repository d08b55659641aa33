import { parseArgs } from 'node:util';
import { numberOption, UsageError } from '../options.js';
import { draw, writeDraw } from './draw.js';

export const DRAW_HELP = `Draws the small set of the quick gate: freely licensed, short examples, with their attribution.

  npm run eval -- draw --out <folder> [--per-file <n>] [--seed <n>] <file or folder>...
`;

export async function drawCommand(args: readonly string[], print: (text: string) => void): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      'per-file': { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(DRAW_HELP);
  if (values.out === undefined || positionals.length === 0) throw new UsageError('draw needs --out and data');
  const examples = await draw(positionals, {
    perFile: numberOption('per-file', values['per-file'], 8, 1),
    seed: numberOption('seed', values.seed, 1, 0),
  });
  await writeDraw(values.out, examples);
  print(`${examples.length} examples`);
}
