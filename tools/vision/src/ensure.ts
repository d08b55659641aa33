import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFaceManifest, unusableFiles } from '@assay/vision';
import { fetchOriginals } from './fetch/originals.js';
import { type Progress, sha256 } from './fetch/package.js';
import { SOURCES } from './sources.js';

/** A name appears in the folder only when its bytes are complete and right. */
async function place(folder: string, name: string, content: Buffer): Promise<void> {
  const aside = join(folder, `.${name}.${process.pid}`);
  try {
    await writeFile(aside, content, { flush: true });
    await rename(aside, join(folder, name));
  } finally {
    await rm(aside, { force: true });
  }
}

/**
 * Makes the face bundle in a folder complete: fetches, converts and checks whatever its manifest promises and the folder lacks. Returns
 * the names of the files it placed; none, and no network used, when nothing was missing.
 */
export async function ensureFaceModels(
  folder: string,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<readonly string[]> {
  const manifest = await readFaceManifest(folder);
  const missing = await unusableFiles(folder, manifest);
  if (missing.length === 0) return [];
  const originals = await fetchOriginals(missing, onProgress);
  for (const name of missing) {
    const converted = SOURCES[name]!.convert(originals.get(name)!);
    if (sha256(converted) !== manifest.files[name].sha256)
      throw new Error(`${name} came out of its conversion other than the manifest promises`);
    await place(folder, name, converted);
  }
  return missing;
}
