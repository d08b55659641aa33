import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadBundle } from '../bundle/load.js';
import { FORMAT } from '../bundle/manifest.js';
import { architectureFromConfig } from '../nli/manifest.js';
import { type Command, DEFAULT_ROOT } from './command.js';

/** Until `models calibrate` has seen labels: the probabilities as the model gives them. */
const UNCALIBRATED = { buckets: [], measured: [] };

export const add: Command = {
  name: 'add',
  usage: 'add FOLDER [--id ID] [--price USD] [--models FOLDER]',
  summary: 'installs an ONNX entailment model (config.json, tokenizer.json, model.onnx)',
  async run(args, say) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        id: { type: 'string' },
        price: { type: 'string', default: '0' },
        models: { type: 'string', default: DEFAULT_ROOT },
      },
    });
    const [source] = positionals;
    if (source === undefined) throw new Error('the folder of the model to add');
    const id =
      values.id ??
      basename(resolve(source))
        .toLowerCase()
        .replace(/[^a-z0-9._-]/g, '-');
    const folder = join(values.models, id);
    if (await exists(folder)) throw new Error(`${folder} is there already`);
    const aside = join(values.models, `.${id}.adding`);
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { recursive: true });
    try {
      await install(source, aside, id, Number(values.price));
      await loadBundle(aside);
      await rename(aside, folder);
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      throw error;
    }
    say(`${id}: installed in ${folder}, not calibrated yet: models calibrate ${folder} LABELLED.jsonl`);
    return 0;
  },
};

async function install(source: string, folder: string, id: string, price: number): Promise<void> {
  const graph = (await exists(join(source, 'model.onnx'))) ? 'model.onnx' : join('onnx', 'model.onnx');
  const names = ['model.onnx', 'tokenizer.json', 'calibration.json'];
  await cp(join(source, graph), join(folder, 'model.onnx'));
  await cp(join(source, 'tokenizer.json'), join(folder, 'tokenizer.json'));
  // Large graphs keep their weights beside them, under the name that the graph asks for.
  for (const beside of ['model.onnx_data', 'model.onnx.data']) {
    if (!(await exists(join(source, graph, '..', beside)))) continue;
    await cp(join(source, graph, '..', beside), join(folder, beside));
    names.push(beside);
  }
  await writeFile(join(folder, 'calibration.json'), JSON.stringify(UNCALIBRATED));
  const manifest = {
    format: FORMAT,
    id,
    engine: 'nli-cross-encoder',
    created_at: new Date().toISOString(),
    aliases: [],
    price: { input_usd_per_million_tokens: price },
    architecture: architectureFromConfig(JSON.parse(await readFile(join(source, 'config.json'), 'utf8'))),
    tokenizer: { kind: 'huggingface', file: 'tokenizer.json' },
    template: 1,
    graphs: { classify: 'model.onnx' },
    calibration: 'calibration.json',
    files: Object.fromEntries(await Promise.all(names.map(async (name) => [name, await describe(join(folder, name))]))),
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function describe(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { sha256: hash.digest('hex'), bytes: (await stat(path)).size };
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
