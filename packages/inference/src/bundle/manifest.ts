import { array, fail, number, object, oneOf, string, whole } from './shape.js';

export interface Manifest {
  readonly id: string;
  readonly engine: 'prefix-encoder';
  readonly createdAt: string;
  readonly aliases: readonly string[];
  readonly inputUsdPerMillionTokens: number;
  readonly architecture: Architecture;
  readonly tokenizerFile: string;
  readonly graphs: { readonly read: string; readonly ask: string };
  readonly calibrationFile: string;
  readonly files: ReadonlyMap<string, { readonly sha256: string; readonly bytes: number }>;
}

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
  const tokenizer = object(manifest['tokenizer'], 'tokenizer');
  oneOf(tokenizer['kind'], 'tokenizer.kind', ['wordpiece']);
  const graphs = object(manifest['graphs'], 'graphs');
  const files = new Map(
    Object.entries(object(manifest['files'], 'files')).map(([name, value]) => {
      const file = object(value, `files.${name}`);
      const sha256 = string(file['sha256'], `files.${name}.sha256`);
      return [fileName(name), { sha256, bytes: whole(file['bytes'], `files.${name}.bytes`) }] as const;
    }),
  );
  const listed = (value: unknown, at: string) => {
    const name = string(value, at);
    return files.has(name) ? name : fail(at, 'a name in files');
  };
  return {
    id: identifier(manifest['id'], 'id'),
    engine: oneOf(manifest['engine'], 'engine', ['prefix-encoder']),
    createdAt: string(manifest['created_at'], 'created_at'),
    aliases: array(manifest['aliases'], 'aliases').map((alias) => identifier(alias, 'aliases')),
    inputUsdPerMillionTokens: number(
      object(manifest['price'], 'price')['input_usd_per_million_tokens'],
      'price.input_usd_per_million_tokens',
    ),
    architecture: architecture(object(manifest['architecture'], 'architecture')),
    tokenizerFile: listed(tokenizer['file'], 'tokenizer.file'),
    graphs: { read: listed(graphs['read'], 'graphs.read'), ask: listed(graphs['ask'], 'graphs.ask') },
    calibrationFile: listed(manifest['calibration'], 'calibration'),
    files,
  };
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
