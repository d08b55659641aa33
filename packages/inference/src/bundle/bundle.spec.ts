import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyBundle } from '../testing/tiny-bundle.js';
import { loadBundle } from './load.js';
import { parseManifest } from './manifest.js';
import { findBundles, loadBundles } from './registry.js';

describe('bundles', () => {
  let root: string;
  let folder: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
    folder = writeTinyBundle(root);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const change = (edit: (manifest: Record<string, Record<string, unknown>>) => void) => {
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    edit(manifest);
    writeFileSync(path, JSON.stringify(manifest));
  };

  it('loads what is what it says', async () => {
    const bundle = await loadBundle(folder);
    expect(bundle.manifest.architecture).toMatchObject({ layers: 2, heads: 4, headDim: 16, blockPieces: 254 });
    expect(bundle.tokenizer.encode('a')).toHaveLength(1);
  });

  it.each(['weights.bin', 'read.onnx', 'vocab.txt', 'calibration.json'])('refuses a changed %s', async (file) => {
    const bytes = readFileSync(join(folder, file));
    bytes[bytes.length - 2]! ^= 1;
    writeFileSync(join(folder, file), bytes);
    await expect(loadBundle(folder)).rejects.toMatchObject({ name: 'BundleError', problem: 'hash_differs' });
    await expect(loadBundle(folder)).rejects.toThrow(file);
  });

  it('refuses a file that grew or went', async () => {
    appendFileSync(join(folder, 'ask.onnx'), ' ');
    await expect(loadBundle(folder)).rejects.toMatchObject({ problem: 'hash_differs' });
    rmSync(join(folder, 'ask.onnx'));
    await expect(loadBundle(folder)).rejects.toMatchObject({ problem: 'missing_file' });
  });

  it('refuses a manifest that misses something, and names it', async () => {
    change((manifest) => delete manifest['architecture']!['head_dim']);
    await expect(loadBundle(folder)).rejects.toMatchObject({ problem: 'bad_manifest' });
    await expect(loadBundle(folder)).rejects.toThrow('architecture.head_dim');
    writeFileSync(join(folder, 'manifest.json'), '{');
    await expect(findBundles([root])).rejects.toMatchObject({ problem: 'bad_manifest' });
  });

  it('never reads a file outside its folder', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    manifest.files['../vocab.txt'] = manifest.files['vocab.txt'];
    expect(() => parseManifest(manifest)).toThrow('plain names');
  });

  it('finds bundles under several roots and leaves other formats alone', async () => {
    const other = join(root, 'other');
    mkdirSync(join(other, 'faces'), { recursive: true });
    writeFileSync(join(other, 'faces', 'manifest.json'), '{"format": "something-else"}');
    const second = writeTinyBundle(other, { id: 'tiny-2.0', aliases: [] });
    expect(await findBundles([root, other, join(root, 'missing')])).toEqual([folder, second]);
  });

  it('refuses two models of one name', async () => {
    writeTinyBundle(join(root, 'more'), { id: 'tiny-3.0' });
    await expect(loadBundles([root, join(root, 'more')])).rejects.toMatchObject({ problem: 'id_taken' });
  });
});
