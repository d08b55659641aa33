import { evalCommand } from './command.js';

process.exitCode = await evalCommand(process.argv.slice(2));
