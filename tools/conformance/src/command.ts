import { writeFile } from 'node:fs/promises';
import { surfaces } from './checks/index.js';
import { HELP, options, UsageError } from './options.js';
import { reportText, summary } from './report/text.js';
import { run } from './run.js';

/** The exit code: 0 every statement is kept, 1 one is broken, 2 wrong usage. */
export async function conformanceCommand(args: readonly string[], print: (text: string) => void): Promise<number> {
  try {
    const wanted = options(args);
    if (wanted === 'help') {
      print(HELP);
      return 0;
    }
    const unknown = wanted.surfaces.filter((name) => !surfaces.some((surface) => surface.name === name));
    if (unknown.length > 0)
      throw new UsageError(
        `no surface ${unknown.join(', ')}; there are ${surfaces.map(({ name }) => name).join(', ')}`,
      );
    const chosen = surfaces.filter(({ name }) => wanted.surfaces.length === 0 || wanted.surfaces.includes(name));
    const results = await run(chosen, wanted);
    if (wanted.json !== undefined)
      await writeFile(
        wanted.json,
        `${JSON.stringify({ baseUrl: wanted.baseUrl, summary: summary(results), results }, null, 2)}\n`,
      );
    print(reportText(results, wanted.verbose));
    return summary(results).broken === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError) && !isParseError(error)) throw error;
    print(error.message);
    return 2;
  }
}

const isParseError = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
