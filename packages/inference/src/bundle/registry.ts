import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BundleError } from './errors.js';
import { type Bundle, loadBundle, manifestFormat } from './load.js';
import { FORMAT } from './manifest.js';

/**
 * Every subfolder that holds a manifest of this format, under one root or several, in the order of their names.
 * Other formats belong to other packages; a manifest that cannot be read belongs to nobody and is an error.
 */
export async function findBundles(roots: readonly string[]): Promise<string[]> {
  const folders: string[] = [];
  for (const root of roots) {
    const names = await readdir(root).catch((): string[] => []);
    for (const name of names.sort()) {
      const files = await readdir(join(root, name)).catch((): string[] => []);
      if (!files.includes('manifest.json')) continue;
      if ((await manifestFormat(join(root, name))) === FORMAT) folders.push(join(root, name));
    }
  }
  return folders;
}

/** Loads all of them; one that is not what it says stops the rest, for a model that is missing would be a surprise. */
export async function loadBundles(roots: readonly string[]): Promise<Bundle[]> {
  const bundles: Bundle[] = [];
  const taken = new Set<string>();
  for (const folder of await findBundles(roots)) {
    const bundle = await loadBundle(folder);
    for (const name of [bundle.manifest.id, ...bundle.manifest.aliases]) {
      if (taken.has(name)) throw new BundleError(bundle.manifest.id, 'id_taken', `the name ${name} is taken`);
      taken.add(name);
    }
    bundles.push(bundle);
  }
  return bundles;
}
