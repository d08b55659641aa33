import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ensureFaceModels } from './ensure.js';

const BUNDLE = join(import.meta.dirname, '../../../packages/models/assay-faces-1.0');

test('the bundle in the repository is complete, and nothing is fetched for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-ensure-'));
  cpSync(BUNDLE, folder, { recursive: true });
  const fetched = () => {
    throw new Error('something was fetched');
  };
  expect(await ensureFaceModels(folder, fetched)).toEqual([]);
});
