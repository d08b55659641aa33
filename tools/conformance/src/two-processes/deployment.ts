import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './program.js';

const SERVING = /Assay serves at (http\S+)[\s\S]*curl .*\n/;

/** Two processes on one PostgreSQL and one folder of blobs, for as long as something is done with them. */
export async function withTwoProcesses(
  act: (urls: readonly string[], databaseUrl: string) => Promise<void>,
): Promise<void> {
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
