import { evalCommand } from './command.js';

const MINUTE = 60_000;

// The engine's thread does not keep a process alive; this does, until the exit code is known.
const alive = setInterval(() => undefined, MINUTE);
process.exitCode = await evalCommand(process.argv.slice(2)).finally(() => clearInterval(alive));
