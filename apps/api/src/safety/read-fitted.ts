import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checked, type FittedSafety, readSafetyFile } from './fitted.js';

/** The fits of all bundles under a folder, by the bundle that each was fitted to. */
export async function readFittedSafeties(modelsFolder: string): Promise<ReadonlyMap<string, FittedSafety>> {
  const fits = new Map<string, FittedSafety>();
  for (const name of await readdir(modelsFolder).catch((): string[] => [])) {
    const fitted = await readSafetyFile(join(modelsFolder, name));
    if (fitted !== undefined) fits.set(fitted.bundle, checked(fitted));
  }
  return fits;
}
