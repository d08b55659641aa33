import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseCalibration } from '../bundle/calibration-file.js';
import { readManifest } from '../bundle/load.js';
import { fitCalibration, type Labelled } from '../calibration/fit.js';
import type { Engine } from '../engine/engine.js';
import { QuestionLimitError } from '../engine/errors.js';
import { Models } from '../engine/models.js';
import { typeOf } from '../questions/types.js';
import type { Command } from './command.js';
import { type LabelledExample, readExamples } from './examples.js';

export const calibrate: Command = {
  name: 'calibrate',
  usage: 'calibrate BUNDLE_FOLDER LABELLED.jsonl[.gz] ... [--most N]',
  summary: 'fits the probabilities of a model of your own to labelled examples; changes its answers',
  async run(args, say) {
    const options = { most: { type: 'string', default: '20000' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [folder, ...files] = positionals;
    if (folder === undefined || files.length === 0) throw new Error('a bundle and at least one file of examples');
    const { id } = await readManifest(folder);
    const models = await Models.open({ roots: [dirname(resolve(folder))] });
    const labelled: Labelled[] = [];
    try {
      for (const file of files) {
        for await (const example of readExamples(file)) {
          if (labelled.length >= Number(values.most)) break;
          const one = await label(models.resolve(id), example);
          if (one !== undefined) labelled.push(one);
        }
      }
    } finally {
      await models.close();
    }
    const buckets = fitCalibration(labelled);
    await write(folder, JSON.stringify({ buckets, measured: [] }, null, 2));
    for (const { type, min_candidates, max_candidates, temperature, bias } of buckets) {
      say(
        `${type} ${min_candidates}-${max_candidates}\ttemperature ${temperature}${bias === undefined ? '' : `, bias ${bias}`}`,
      );
    }
    say(`${basename(resolve(folder))}: fitted on ${labelled.length} labels`);
    return 0;
  },
};

/** Undefined where the right answer is none of the candidates, or the question is over a limit. */
async function label(engine: Engine, { state, question, answer }: LabelledExample): Promise<Labelled | undefined> {
  try {
    const decision = await engine.answer(engine.prepare({ state, questions: { question } }), { priority: 'batch' });
    const { logits } = decision.scores.get('question')!;
    const names = typeOf(question)
      .candidates(question)
      .map(({ name }) => name);
    const right = question.type === 'truth' ? ['true', 'false'].indexOf(answer) : names.indexOf(answer);
    return right === -1 ? undefined : { type: question.type, logits, right };
  } catch (error) {
    if (error instanceof QuestionLimitError) return undefined;
    throw error;
  }
}

/** The calibration, and its hash in the manifest. */
async function write(folder: string, calibration: string): Promise<void> {
  parseCalibration(JSON.parse(calibration));
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const name: string = manifest.calibration;
  const sha256 = createHash('sha256').update(calibration).digest('hex');
  manifest.files[name] = { sha256, bytes: Buffer.byteLength(calibration) };
  await writeFile(join(folder, name), calibration);
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
