import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asClassifier } from './decide-zero-shot-graph.js';

interface Manifest {
  readonly graphs: { readonly read: string };
  readonly architecture: { readonly layers: number; readonly heads: number; readonly hidden: number };
  readonly tokenizer: { readonly file: string };
  readonly files: { readonly [name: string]: unknown };
}

const LABELS = ['entailment', 'neutral', 'contradiction'];
const POSITIONS = 512;

/** Lays a bundle's layers and vocabulary out as the BERT classifier that the pipeline knows how to load. */
export function writeZeroShotModel(bundle: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8')) as Manifest;
  const { hidden, layers, heads } = manifest.architecture;
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const classifier = asClassifier(readFileSync(join(bundle, manifest.graphs.read)), hidden, LABELS.length);
  writeFileSync(join(folder, 'onnx', 'model.onnx'), classifier);
  for (const file of Object.keys(manifest.files).filter((name) => name.endsWith('.bin')))
    copyFileSync(join(bundle, file), join(folder, 'onnx', file));
  const words = readFileSync(join(bundle, manifest.tokenizer.file), 'utf8').split('\n').filter(Boolean);
  const json = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  json('tokenizer.json', tokenizer(words));
  json('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    model_max_length: POSITIONS,
    ...{ pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]', mask_token: '[MASK]' },
  });
  json('config.json', {
    model_type: 'bert',
    architectures: ['BertForSequenceClassification'],
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    max_position_embeddings: POSITIONS,
    vocab_size: words.length,
    id2label: Object.fromEntries(LABELS.map((label, id) => [id, label])),
    label2id: Object.fromEntries(LABELS.map((label, id) => [label, id])),
  });
}

function tokenizer(words: readonly string[]): object {
  const special = (name: string, type_id: number) => ({ SpecialToken: { id: name, type_id } });
  const text = (id: 'A' | 'B', type_id: number) => ({ Sequence: { id, type_id } });
  const token = (content: string) => ({
    id: words.indexOf(content),
    content,
    special: true,
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  });
  const known = (name: string) => [name, { id: name, ids: [words.indexOf(name)], tokens: [name] }];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(token),
    normalizer: {
      type: 'BertNormalizer',
      ...{ clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0)],
      pair: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0), text('B', 1), special('[SEP]', 1)],
      special_tokens: Object.fromEntries(['[CLS]', '[SEP]'].map(known)),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      ...{ unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
}
