import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Bundles } from '../specs/bundle.js';
import { mergeSchemas } from '../specs/merge.js';

/** Writes one call per operation, over fetch, into `folder`. */
export async function generateClient(bundles: Bundles, folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'assay-client-'));
  try {
    const input = join(work, 'contract.json');
    await writeFile(input, JSON.stringify(mergeSchemas(bundles.openapi, bundles.stream)));
    await createClient({
      input,
      logs: { level: 'silent' },
      output: { path: folder, clean: true, module: { extension: '.js' } },
      plugins: [
        {
          name: '@hey-api/typescript',
          responses: { response: '{{name}}Success' },
          errors: { error: '{{name}}Failure' },
        },
        {
          name: '@hey-api/sdk',
          responseStyle: 'data',
          operations: { strategy: 'single', containerName: 'Calls', methods: 'instance' },
        },
        { name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true },
      ],
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
