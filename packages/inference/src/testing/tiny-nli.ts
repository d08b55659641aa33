import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnnxGraph } from './onnx-writer.js';
import { mulberry } from './tiny-bundle.js';

export type NliStyle = 'bert' | 'roberta' | 'deberta-v2';

const WORDS = [
  'a',
  'b',
  'c',
  'yes',
  'no',
  'paid',
  'late',
  'sep',
  'level',
  'of',
  '1',
  '2',
  '3',
  '[',
  ']',
  '<',
  '>',
  '/',
  's',
  ':',
];
const HIDDEN = 16;
export const TINY_POSITIONS = 64;

/** A folder as a model hub publishes it: an entailment model of random weights with one layer of attention. */
export function writeTinyNli(folder: string, style: NliStyle): void {
  mkdirSync(folder, { recursive: true });
  const { tokenizer, size } = tokenizerOf(style);
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  const config = {
    model_type: style,
    max_position_embeddings: style === 'roberta' ? TINY_POSITIONS + 2 : TINY_POSITIONS,
    id2label: { 0: 'contradiction', 1: 'neutral', 2: 'entailment' },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const { graph, weights } = classifier(size, style === 'bert');
  writeFileSync(join(folder, 'model.onnx'), graph);
  writeFileSync(join(folder, 'model.onnx_data'), weights);
}

function classifier(vocab: number, types: boolean): { graph: Uint8Array; weights: Uint8Array } {
  const random = mulberry(9);
  const g = new OnnxGraph();
  const parts: Float32Array[] = [];
  let end = 0;
  const weight = (name: string, shape: readonly number[]): string => {
    const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 2 * random() - 1);
    parts.push(data);
    end += data.byteLength;
    return g.external(name, shape, 'model.onnx_data', end - data.byteLength, data.byteLength);
  };
  const words = g.node('Gather', [weight('words', [vocab, HIDDEN]), 'input_ids']);
  const x = types ? g.node('Add', [words, g.node('Gather', [weight('types', [2, HIDDEN]), 'token_type_ids'])]) : words;
  const scores = g.node('MatMul', [
    g.node('MatMul', [x, weight('q', [HIDDEN, HIDDEN])]),
    g.node('Transpose', [x], { perm: [0, 2, 1] }),
  ]);
  const mixed = g.node('Tanh', [g.node('MatMul', [g.node('Softmax', [scores]), x])]);
  const mean = g.node('ReduceMean', [mixed], { axes: [1], keepdims: 0 });
  g.node('MatMul', [mean, weight('out', [HIDDEN, 3])], {}, ['logits']);
  const input = (name: string) => ({ name, type: 'int64' as const, shape: ['n', 'length'] });
  const names = ['input_ids', 'attention_mask', ...(types ? ['token_type_ids'] : [])];
  const graph = g.finish(names.map(input), [{ name: 'logits', type: 'float32', shape: ['n', 3] }]);
  return { graph, weights: Uint8Array.from(Buffer.concat(parts.map((part) => new Uint8Array(part.buffer)))) };
}

function tokenizerOf(style: NliStyle): { tokenizer: object; size: number } {
  const control = style === 'roberta' ? ['<s>', '<pad>', '</s>', '<unk>'] : ['[PAD]', '[CLS]', '[SEP]', '[UNK]'];
  const added = control.map((content, id) => ({
    id,
    content,
    special: true,
    normalized: false,
    lstrip: false,
    rstrip: false,
    single_word: false,
  }));
  const common = { version: '1.0', truncation: { max_length: 8 }, padding: null, added_tokens: added, decoder: null };
  if (style === 'bert') {
    const vocab = Object.fromEntries([...control, ...WORDS].map((piece, id) => [piece, id]));
    const model = {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    };
    const normalizer = {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    };
    return {
      tokenizer: { ...common, normalizer, pre_tokenizer: { type: 'BertPreTokenizer' }, model },
      size: control.length + WORDS.length,
    };
  }
  if (style === 'roberta') {
    const bytes = [...'abcdefghijklmnopqrstuvwxyz0123456789[]<>/:ĠSEP'].filter(
      (one, at, all) => all.indexOf(one) === at,
    );
    const vocab = Object.fromEntries([...control, ...bytes].map((piece, id) => [piece, id]));
    const model = {
      type: 'BPE',
      vocab,
      merges: [],
      unk_token: '<unk>',
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
    };
    const pre_tokenizer = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
    return { tokenizer: { ...common, normalizer: null, pre_tokenizer, model }, size: control.length + bytes.length };
  }
  // Such vocabularies list their control tokens as pieces like any other, and at no cost.
  const pieces = [
    ...control.map((piece) => [piece, 0]),
    ['▁', -2],
    ...WORDS.flatMap((word) => [
      [word, -4],
      [`▁${word}`, -3],
    ]),
  ];
  const model = { type: 'Unigram', unk_id: 3, vocab: pieces };
  const pre_tokenizer = { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' };
  return { tokenizer: { ...common, normalizer: null, pre_tokenizer, model }, size: pieces.length };
}
