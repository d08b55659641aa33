import { parseArgs } from 'node:util';
import { surfaces } from '../checks/index.js';
import { reportText, summary } from '../report/text.js';
import { run } from '../run.js';
import { between } from './between.js';
import { makeKeys } from './callers.js';
import { withTwoProcesses } from './deployment.js';

const TWO_PROCESSES_HELP = `Starts two processes of the service on one PostgreSQL of its own (on the loopback network, in a temporary folder, with one
folder of blobs), checks each of them in turn with keys of every kind, then what holds between them, and stops everything. Needs \`npm run build\`.

  npm run conformance -- two-processes [options]

  --surface <name>        only this surface; may be given several times
  --patient               also wait for the service's own time limits (a minute or so)
  --verbose               print what was sent and came back for every statement
  --help

The processes take every ASSAY_ setting of the environment but where they listen and keep their data.
`;

const OPTIONS = {
  surface: { type: 'string', multiple: true },
  patient: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** What was asked for, or what is wrong with it. */
function asked(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const unknown = values.surface?.find((name) => !surfaces.some((surface) => surface.name === name));
    return unknown === undefined ? values : `there is no surface ${unknown}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The exit code: 0 every statement is kept by both, 1 one is broken, 2 wrong usage. */
export async function twoProcessesCommand(args: readonly string[], print: (text: string) => void): Promise<number> {
  const values = asked(args);
  if (typeof values === 'string' || values.help) {
    print(typeof values === 'string' ? `${values}; see --help` : TWO_PROCESSES_HELP);
    return typeof values === 'string' ? 2 : 0;
  }
  const chosen = surfaces.filter(({ name }) => !values.surface || values.surface.includes(name));
  let broken = 0;
  await withTwoProcesses(async (urls, databaseUrl) => {
    const keys = await makeKeys(databaseUrl);
    for (const [at, baseUrl] of urls.entries()) {
      const other = between(urls[1 - at]!);
      const results = await run([...chosen, other], { baseUrl, keys, patient: values.patient });
      broken += summary(results).broken;
      print(`Process ${at + 1} of ${urls.length}\n${reportText(results, values.verbose)}`);
    }
  });
  return broken === 0 ? 0 : 1;
}
