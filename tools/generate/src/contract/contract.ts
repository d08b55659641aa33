import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Bundles } from '../specs/bundle.js';
import { mergeSchemas } from '../specs/merge.js';
import { carryKeywords } from './carry.js';
import { OperationTable } from './operations.js';
import { resolvers } from './resolvers.js';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function exportedNames(file: string): Promise<Set<string>> {
  const source = await readFile(file, 'utf8');
  return new Set([...source.matchAll(/^export const (\w+)/gm)].map((match) => match[1]!));
}

/** Writes types, validators, the table of operations and both bundled specs into `folder`. */
export async function generateContract(bundles: Bundles, folder: string): Promise<void> {
  const merged = mergeSchemas(bundles.openapi, bundles.stream);
  const work = await mkdtemp(join(tmpdir(), 'assay-contract-'));
  try {
    const input = join(work, 'contract.json');
    await writeFile(input, json(carryKeywords(merged)));
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
        { name: 'zod', dates: { offset: true }, responses: false, $resolvers: resolvers },
      ],
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const table = new OperationTable(merged, await exportedNames(join(folder, 'zod.gen.ts')));
  await writeFile(join(folder, 'operations.ts'), table.source());
  await writeFile(join(folder, 'openapi.json'), json(bundles.openapi));
  await writeFile(join(folder, 'asyncapi.json'), json(bundles.asyncapi));
}
