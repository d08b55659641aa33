import { measure, type Output } from './measure.js';
import { evalOptions, HELP, UsageError } from './options.js';
import { openPredictor } from './predictors/open.js';
import { drawCommand } from './quick/command.js';
import { safetyCommand } from './safety/command.js';

const CONSOLE: Output = {
  print: (text) => process.stdout.write(`${text}\n`),
  progress: (text) => process.stderr.write(`${text}\n`),
};

/** The exit code: 0 done, 1 a comparison failed, 2 wrong usage. */
export async function evalCommand(args: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    if (args[0] === 'draw') {
      await drawCommand(args.slice(1), output.print);
      return 0;
    }
    if (args[0] === 'safety') {
      await safetyCommand(args.slice(1), output.print);
      return 0;
    }
    const options = evalOptions(args);
    if (options === 'help') {
      output.print(HELP);
      return 0;
    }
    const predictor = await openPredictor(options.target);
    try {
      return (await measure(predictor, options, output)) ? 0 : 1;
    } finally {
      await predictor.close();
    }
  } catch (error) {
    if (!(error instanceof UsageError) && !isParseError(error)) throw error;
    output.progress(error.message);
    return 2;
  }
}

const isParseError = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
