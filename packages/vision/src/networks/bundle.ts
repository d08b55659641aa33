import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const FACE_BUNDLE_FORMAT = 'assay-faces-1';
const GRAPHS = ['detector.onnx', 'landmarks.onnx', 'template.onnx'] as const;
export type GraphFile = (typeof GRAPHS)[number];

export interface FaceBundleManifest {
  readonly format: typeof FACE_BUNDLE_FORMAT;
  readonly id: string;
  readonly created_at: string;
  readonly files: Readonly<Record<GraphFile, { readonly sha256: string; readonly bytes: number }>>;
}

/** The face networks cannot be used: a file is missing, or is not the one the manifest names. */
export class FaceBundleUnusable extends Error {
  override readonly name = 'FaceBundleUnusable';
}

function isManifest(value: unknown): value is FaceBundleManifest {
  if (typeof value !== 'object' || value === null || !('format' in value) || !('files' in value)) return false;
  const { files } = value;
  if (value.format !== FACE_BUNDLE_FORMAT || typeof files !== 'object' || files === null) return false;
  return GRAPHS.every((name) => name in files);
}

export async function readFaceManifest(folder: string): Promise<FaceBundleManifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new FaceBundleUnusable('the face bundle has no manifest.json');
  const manifest: unknown = JSON.parse(text);
  if (!isManifest(manifest)) throw new FaceBundleUnusable('the face bundle has a manifest of another kind');
  return manifest;
}

/** The sha256 of a file in hex, or nothing when there is no such file. */
export async function hashOfFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** Files of the bundle that are missing or differ from what the manifest promises. */
export async function unusableFiles(folder: string, manifest: FaceBundleManifest): Promise<GraphFile[]> {
  const hashes = await Promise.all(GRAPHS.map((name) => hashOfFile(join(folder, name))));
  return GRAPHS.filter((name, at) => hashes[at] !== manifest.files[name].sha256);
}
