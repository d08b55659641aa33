import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askGraph, type PrefixShape, readGraph, WEIGHTS_FILE, Weights } from './prefix-graphs.js';

export interface TinyBundle extends PrefixShape {
  readonly id: string;
  readonly seed: number;
  readonly aliases: readonly string[];
}

export const TINY: TinyBundle = {
  id: 'tiny-1.0',
  seed: 1,
  aliases: ['tiny-latest'],
  layers: 2,
  heads: 4,
  headDim: 16,
  inner: 128,
  vocab: 300,
  positions: 512,
  kvType: 'float16',
};

const BUCKETS = [
  { type: 'truth', min_candidates: 1, max_candidates: 1, temperature: 1.5, bias: 0.1 },
  { type: 'choice', min_candidates: 1, max_candidates: 255, temperature: 1.25 },
  { type: 'score', min_candidates: 2, max_candidates: 10, temperature: 0.8 },
  { type: 'number', min_candidates: 1, max_candidates: 256, temperature: 2 },
];

/** Writes a bundle of random weights, the same for the same seed: right in every shape, meaningless in what it says. */
export function writeTinyBundle(folder: string, changes: Partial<TinyBundle> = {}): string {
  const bundle = { ...TINY, ...changes };
  const weights = new Weights(mulberry(bundle.seed));
  const text = (value: string) => new TextEncoder().encode(value);
  const files = new Map<string, Uint8Array>([
    ['read.onnx', readGraph(bundle, weights)],
    ['ask.onnx', askGraph(bundle, weights)],
    [WEIGHTS_FILE, weights.file()],
    ['vocab.txt', text(`${vocabulary(bundle.vocab).join('\n')}\n`)],
    ['calibration.json', text(JSON.stringify({ buckets: BUCKETS, measured: [] }))],
  ]);
  const at = join(folder, bundle.id);
  mkdirSync(at, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(at, name), content);
  const manifest = {
    format: 'assay-bundle-1',
    id: bundle.id,
    engine: 'prefix-encoder',
    created_at: '2026-01-01T00:00:00Z',
    aliases: bundle.aliases,
    price: { input_usd_per_million_tokens: 0.021 },
    architecture: {
      layers: bundle.layers,
      heads: bundle.heads,
      head_dim: bundle.headDim,
      hidden: bundle.heads * bundle.headDim,
      block_pieces: 254,
      statement_tokens: 512,
      kv_type: bundle.kvType,
    },
    tokenizer: { kind: 'wordpiece', file: 'vocab.txt', lowercase: true },
    template: 1,
    graphs: { read: 'read.onnx', ask: 'ask.onnx' },
    calibration: 'calibration.json',
    files: Object.fromEntries(
      Array.from(files, ([name, content]) => [
        name,
        { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length },
      ]),
    ),
  };
  writeFileSync(join(at, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return at;
}

/** Control tokens, every printable character alone and as a continuation, a few words, then numbered fillers. */
function vocabulary(size: number): string[] {
  const characters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
    (character) => !/[A-Z]/.test(character),
  );
  const words = ['yes', 'no', 'level', 'of', 'to', 'the', 'a'].filter((word) => word.length > 1);
  const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...characters, ...characters.map((c) => `##${c}`), ...words];
  while (pieces.length < size) pieces.push(`[unused${pieces.length}]`);
  return pieces;
}

export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
