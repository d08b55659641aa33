import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, node24 } from './checkout.mjs';
import { run } from './prepare.mjs';

const folder = join(checkout, 'packages', 'models', 'assay-faces-1.0');

function missing() {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) return [];
  const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
  const hasSize = (path, bytes) => existsSync(path) && statSync(path).size === bytes;
  return Object.keys(files).filter((name) => !hasSize(join(folder, name), files[name].bytes));
}

/** Fetches face networks that this checkout came without; the service starts without them all the same. */
export function fetchMissingFaceNetworks() {
  if (missing().length === 0) return;
  const turbo = join(checkout, 'node_modules', 'turbo', 'bin', 'turbo');
  const build = ['run', 'build', '--filter=@assay/vision-models...', '--output-logs=errors-only'];
  if (run('building what fetches face networks', node24, [turbo, ...build]) !== 0) return;
  run('fetching face networks', node24, [join(checkout, 'tools', 'vision', 'dist', 'main.js'), 'ensure', folder]);
}
