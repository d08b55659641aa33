import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Calibration } from '../calibration/calibration.js';
import { HubTokenizer } from '../nli/tokenizer.js';
import { WordPiece } from '../text/wordpiece.js';
import { parseCalibration } from './calibration-file.js';
import { BundleError } from './errors.js';
import { type Manifest, type NliManifest, type PrefixManifest, parseManifest } from './manifest.js';
import { object } from './shape.js';

interface Common {
  readonly folder: string;
  readonly calibration: Calibration;
}

export interface PrefixBundle extends Common {
  readonly manifest: PrefixManifest;
  readonly tokenizer: WordPiece;
}

export interface NliBundle extends Common {
  readonly manifest: NliManifest;
  readonly tokenizer: HubTokenizer;
}

export type Bundle = PrefixBundle | NliBundle;

/** Reads a bundle whose every file is, byte for byte, the one its manifest names. */
export async function loadBundle(folder: string): Promise<Bundle> {
  const manifest = await readManifest(folder);
  for (const [name, file] of manifest.files) await checkFile(folder, name, file);
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  const { buckets, measured } = await refuse(folder, async () =>
    parseCalibration(JSON.parse(await text(manifest.calibrationFile))),
  );
  const common = { folder, calibration: new Calibration(buckets, measured) };
  const vocabulary = await text(manifest.tokenizerFile);
  return await refuse(folder, async () =>
    manifest.engine === 'prefix-encoder'
      ? { ...common, manifest, tokenizer: WordPiece.fromVocab(vocabulary) }
      : { ...common, manifest, tokenizer: new HubTokenizer(JSON.parse(vocabulary)) },
  );
}

export async function readManifest(folder: string): Promise<Manifest> {
  const json = await manifestJson(folder);
  return await refuse(folder, async () => parseManifest(json));
}

export async function manifestFormat(folder: string): Promise<unknown> {
  const json = await manifestJson(folder);
  return await refuse(folder, async () => object(json, 'manifest')['format']);
}

async function manifestJson(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new BundleError(basename(folder), 'no_manifest', 'there is no readable manifest.json');
  });
  return await refuse(folder, async () => JSON.parse(text));
}

async function checkFile(folder: string, name: string, file: { sha256: string; bytes: number }): Promise<void> {
  const path = join(folder, name);
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) throw new BundleError(basename(folder), 'missing_file', `${name} is missing`);
  if (size !== file.bytes || (await sha256(path)) !== file.sha256) {
    throw new BundleError(basename(folder), 'hash_differs', `${name} is not the file that the manifest names`);
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function refuse<Value>(folder: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw new BundleError(basename(folder), 'bad_manifest', error instanceof Error ? error.message : String(error));
  }
}
