import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Document } from './document.js';

const run = promisify(execFile);
const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');

export interface Bundles {
  /** What `/openapi.json` serves. */
  readonly openapi: Document;
  /** What `/asyncapi.json` serves: AsyncAPI writes a discriminator as the name of the property. */
  readonly asyncapi: Document;
  /** The same stream with the discriminators of the shared schemas, for the merge. */
  readonly stream: Document;
}

/** Puts the files of both specs together, one document each, with every schema under `components.schemas`. */
export async function bundleSpecs(specs: string): Promise<Bundles> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-specs-'));
  const bundle = async (api: string): Promise<Document> => {
    const output = join(folder, `${api}.json`);
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = ['--config', join(specs, 'redocly.yaml'), '--output', output, '--ext', 'json'];
    await run(process.execPath, [redocly, 'bundle', api, ...options], { env, cwd: specs });
    return JSON.parse(await readFile(output, 'utf8'));
  };
  try {
    const [openapi, asyncapi, stream] = [
      await bundle('rest@v1'),
      await bundle('stream@v1'),
      await bundle('stream-raw@v1'),
    ];
    return { openapi, asyncapi, stream };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
