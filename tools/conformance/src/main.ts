import { conformanceCommand } from './command.js';
import { twoProcessesCommand } from './two-processes/command.js';

const print = (text: string) => process.stdout.write(`${text}\n`);
const [first, ...rest] = process.argv.slice(2);

process.exitCode =
  first === 'two-processes'
    ? await twoProcessesCommand(rest, print)
    : await conformanceCommand(process.argv.slice(2), print);
