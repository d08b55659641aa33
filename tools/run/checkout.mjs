import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const node24 = join(checkout, 'node_modules', 'node', 'bin', 'node');

const modelFolder = join(checkout, 'packages', 'models');
const stampFolder = join(checkout, 'node_modules', '.assay');
const NOT_SOURCE = new Set(['node_modules', 'dist', '.git', '.turbo', '.assay', 'coverage', '__pycache__']);

/** Every file below `folder` that a person wrote or a generator committed, in a stable order. */
export function* sourceFiles(folder, wanted = () => true) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (NOT_SOURCE.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (path === modelFolder) continue;
    if (entry.isDirectory()) yield* sourceFiles(path, wanted);
    else if (entry.isFile() && wanted(path)) yield path;
  }
}

/** One hash over names and contents: a clone, a copy and a checkout with new times are all the same to it. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${relative(checkout, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

export function stampMatches(name, value) {
  const path = join(stampFolder, name);
  return existsSync(path) && readFileSync(path, 'utf8') === value;
}

export function writeStamp(name, value) {
  mkdirSync(stampFolder, { recursive: true });
  const aside = join(stampFolder, `${name}.${process.pid}`);
  writeFileSync(aside, value);
  renameSync(aside, join(stampFolder, name));
}
