#!/usr/bin/env node
import { add } from './add.js';
import { calibrate } from './calibrate.js';
import type { Command } from './command.js';
import { list } from './list.js';
import { verify } from './verify.js';

const COMMANDS: readonly Command[] = [list, verify, add, calibrate];

const WIDTH = Math.max(...COMMANDS.map(({ usage }) => usage.length)) + 2;

const HELP = `Usage: models <command> [options]

${COMMANDS.map(({ usage, summary }) => `  ${usage.padEnd(WIDTH)}${summary}`).join('\n')}

Options:
  --models FOLDER   where bundles lie (default: packages/models)
`;

const [name, ...rest] = process.argv.slice(2);
const command = COMMANDS.find((one) => one.name === name);
if (command === undefined) {
  const asked = name === undefined || name === '--help' || name === 'help';
  (asked ? process.stdout : process.stderr).write(asked ? HELP : `Unknown command: ${name}\n\n${HELP}`);
  process.exitCode = asked ? 0 : 2;
} else {
  try {
    process.exitCode = await command.run(rest, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
