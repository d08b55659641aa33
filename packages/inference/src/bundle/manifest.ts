import { type NliArchitecture, parseNliArchitecture } from '../nli/manifest.js';
import { array, fail, number, object, oneOf, string, whole } from './shape.js';

interface Common {
  readonly id: string;
  readonly createdAt: string;
  readonly aliases: readonly string[];
  readonly inputUsdPerMillionTokens: number;
  readonly tokenizerFile: string;
  readonly calibrationFile: string;
  readonly files: ReadonlyMap<string, { readonly sha256: string; readonly bytes: number }>;
}

export interface PrefixManifest extends Common {
  readonly engine: 'prefix-encoder';
  readonly architecture: Architecture;
  readonly graphs: { readonly read: string; readonly ask: string };
}

/** A ready-made entailment model, as model hubs publish them. */
export interface NliManifest extends Common {
  readonly engine: 'nli-cross-encoder';
  readonly architecture: NliArchitecture;
  readonly graph: string;
}

export type Manifest = PrefixManifest | NliManifest;

export interface Architecture {
  readonly layers: number;
  readonly heads: number;
  readonly headDim: number;
  readonly hidden: number;
  readonly blockPieces: number;
  readonly statementTokens: number;
  readonly kvType: 'float16' | 'float32';
}

export const FORMAT = 'assay-bundle-1';

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The manifest as it is on disk, checked; throws a plain `Error` that names the field. */
export function parseManifest(json: unknown): Manifest {
  const manifest = object(json, 'manifest');
  oneOf(manifest['format'], 'format', [FORMAT]);
  oneOf(manifest['template'], 'template', [1]);
  const engine = oneOf(manifest['engine'], 'engine', ['prefix-encoder', 'nli-cross-encoder']);
  const files = parseFiles(object(manifest['files'], 'files'));
  const listed = (value: unknown, at: string) => {
    const name = string(value, at);
    return files.has(name) ? name : fail(at, 'a name in files');
  };
  const tokenizer = object(manifest['tokenizer'], 'tokenizer');
  const graphs = object(manifest['graphs'], 'graphs');
  const price = object(manifest['price'], 'price')['input_usd_per_million_tokens'];
  const common = {
    id: identifier(manifest['id'], 'id'),
    createdAt: string(manifest['created_at'], 'created_at'),
    aliases: array(manifest['aliases'], 'aliases').map((alias) => identifier(alias, 'aliases')),
    inputUsdPerMillionTokens: number(price, 'price.input_usd_per_million_tokens'),
    tokenizerFile: listed(tokenizer['file'], 'tokenizer.file'),
    calibrationFile: listed(manifest['calibration'], 'calibration'),
    files,
  };
  const shape = object(manifest['architecture'], 'architecture');
  if (engine === 'nli-cross-encoder') {
    oneOf(tokenizer['kind'], 'tokenizer.kind', ['huggingface']);
    const graph = listed(graphs['classify'], 'graphs.classify');
    return { ...common, engine, architecture: parseNliArchitecture(shape), graph };
  }
  oneOf(tokenizer['kind'], 'tokenizer.kind', ['wordpiece']);
  const both = { read: listed(graphs['read'], 'graphs.read'), ask: listed(graphs['ask'], 'graphs.ask') };
  return { ...common, engine, architecture: architecture(shape), graphs: both };
}

function parseFiles(listed: Readonly<Record<string, unknown>>): Common['files'] {
  return new Map(
    Object.entries(listed).map(([name, value]) => {
      const file = object(value, `files.${name}`);
      const sha256 = string(file['sha256'], `files.${name}.sha256`);
      return [fileName(name), { sha256, bytes: whole(file['bytes'], `files.${name}.bytes`) }] as const;
    }),
  );
}

function architecture(value: Readonly<Record<string, unknown>>): Architecture {
  const count = (name: string) => whole(value[name], `architecture.${name}`);
  const found = {
    layers: count('layers'),
    heads: count('heads'),
    headDim: count('head_dim'),
    hidden: count('hidden'),
    blockPieces: count('block_pieces'),
    statementTokens: count('statement_tokens'),
    kvType: oneOf(value['kv_type'], 'architecture.kv_type', ['float16', 'float32'] as const),
  };
  return found.hidden === found.heads * found.headDim ? found : fail('architecture.hidden', 'heads times head_dim');
}

function identifier(value: unknown, at: string): string {
  const text = string(value, at);
  return ID.test(text) ? text : fail(at, 'lower-case letters, digits, dots and dashes');
}

/** A file beside the manifest, never one elsewhere. */
function fileName(name: string): string {
  return name.includes('/') || name.includes('\\') || name.startsWith('.') ? fail('files', 'plain names') : name;
}
