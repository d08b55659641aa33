import { conformanceCommand } from './command.js';

process.exitCode = await conformanceCommand(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`));
