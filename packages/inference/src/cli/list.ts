import { parseArgs } from 'node:util';
import { readManifest } from '../bundle/load.js';
import { findBundles } from '../bundle/registry.js';
import { type Command, DEFAULT_ROOT } from './command.js';

export const list: Command = {
  name: 'list',
  usage: 'list [--models FOLDER]',
  summary: 'the installed models',
  async run(args, say) {
    const { values } = parseArgs({ args: [...args], options: { models: { type: 'string', default: DEFAULT_ROOT } } });
    const folders = await findBundles([values.models]);
    for (const folder of folders) {
      const manifest = await readManifest(folder);
      const bytes = [...manifest.files.values()].reduce((sum, file) => sum + file.bytes, 0);
      say(`${manifest.id}\t${manifest.engine}\t${(bytes / 1e6).toFixed(1)} MB\t${manifest.aliases.join(', ') || '-'}`);
    }
    if (folders.length === 0) say(`no models in ${values.models}`);
    return 0;
  },
};
