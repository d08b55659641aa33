import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { surfaces } from '../checks/index.js';
import { reportText, summary } from '../report/text.js';
import { run } from '../run.js';
import { makeKeys } from './callers.js';
import { Program } from './program.js';

export const TWO_PROCESSES_HELP = `Starts two processes of the service on one PostgreSQL of its own (on the loopback network, in a temporary folder, with one
folder of blobs), checks each of them in turn with keys of every kind, and stops everything. Needs \`npm run build\`.

  npm run conformance -- two-processes [options]

  --surface <name>        only this surface; may be given several times
  --patient               also wait for the service's own time limits (a minute or so)
  --verbose               print what was sent and came back for every statement
  --help

The processes take every ASSAY_ setting of the environment but where they listen and keep their data.
`;

const SERVING = /Assay serves at (http\S+)[\s\S]*curl .*\n/;

/** The exit code: 0 every statement is kept by both, 1 one is broken. */
export async function twoProcessesCommand(args: readonly string[], print: (text: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      surface: { type: 'string', multiple: true },
      patient: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(TWO_PROCESSES_HELP);
    return 0;
  }
  const chosen = surfaces.filter(({ name }) => !values.surface || values.surface.includes(name));
  let broken = 0;
  await withTwoProcesses(async (urls, databaseUrl) => {
    const keys = await makeKeys(databaseUrl);
    for (const [at, baseUrl] of urls.entries()) {
      const results = await run(chosen, { baseUrl, keys, patient: values.patient });
      broken += summary(results).broken;
      print(`Process ${at + 1} of ${urls.length}\n${reportText(results, values.verbose)}`);
    }
  });
  return broken === 0 ? 0 : 1;
}

async function withTwoProcesses(act: (urls: readonly string[], databaseUrl: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-two-processes-'));
  const running: Program[] = [];
  try {
    const postgres = await Program.start(
      'storage/launcher/tcp-postgres.js',
      [join(folder, 'database')],
      {},
      /^(postgres:\S+)\n/,
    );
    running.push(postgres);
    const databaseUrl = postgres.ready[1]!;
    // Both at once: on an empty database one of them migrates, and the other waits for it.
    const started = await Promise.allSettled(
      ['one', 'two'].map((name) =>
        Program.start(
          'main.js',
          [],
          {
            ASSAY_DATABASE_URL: databaseUrl,
            ASSAY_DATA_DIR: join(folder, name),
            ASSAY_BLOBS: join(folder, 'blobs'),
            ASSAY_HOST: '127.0.0.1',
            ASSAY_PORT: '0',
            ASSAY_LOG_LEVEL: 'error',
            ...(process.env['ASSAY_BODY_TIMEOUT_SECONDS'] === undefined && { ASSAY_BODY_TIMEOUT_SECONDS: '5' }),
          },
          SERVING,
        ),
      ),
    );
    const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    running.unshift(...processes);
    const failed = started.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    await act(
      processes.map(({ ready }) => ready[1]!),
      databaseUrl,
    );
  } finally {
    for (const program of running) await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
