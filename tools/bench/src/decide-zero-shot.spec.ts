import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { writeTinyBundle } from '../../../packages/inference/src/testing/tiny-bundle.js';
import { writeZeroShotModel } from './decide-zero-shot-model.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-zero-shot-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a bundle laid out for the pipeline is a classifier that reads what it is given', async () => {
  const laidOut = join(folder, 'laid-out');
  writeZeroShotModel(writeTinyBundle(folder), laidOut);
  const session = await InferenceSession.create(join(laidOut, 'onnx', 'model.onnx'));
  const logits = async (...ids: bigint[]) => {
    const tensor = () => new Tensor('int64', BigInt64Array.from(ids), [1, ids.length]);
    const feeds = { input_ids: tensor(), attention_mask: tensor(), token_type_ids: tensor() };
    const { logits } = await session.run(feeds);
    expect(logits!.dims).toEqual([1, 3]);
    return Array.from(logits!.data as Float32Array);
  };
  const one = await logits(2n, 40n, 3n);
  expect(one.every(Number.isFinite)).toBe(true);
  expect(await logits(2n, 41n, 3n)).not.toEqual(one);

  const { model } = JSON.parse(readFileSync(join(laidOut, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> };
  };
  expect([model.vocab['[PAD]'], model.vocab['[SEP]']]).toEqual([0, 3]);
});
