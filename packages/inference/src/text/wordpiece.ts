const WORDS_AND_MARKS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\ufffd]/u;
const IDEOGRAPH = /\p{Unified_Ideograph}/u;
const LONGEST_WORD = 100;
const REMEMBERED_WORDS = 200_000;

/**
 * The WordPiece of uncased BERT. Control tokens exist as numbers only: text that spells `[SEP]` becomes
 * ordinary pieces, so a caller's text can never end a statement or begin another.
 */
export class WordPiece {
  readonly cls: number;
  readonly sep: number;
  readonly pad: number;
  readonly unk: number;
  private readonly longestPiece: number;
  private readonly words = new Map<string, readonly number[]>();
  private readonly vocab: ReadonlyMap<string, number>;

  private constructor(vocab: ReadonlyMap<string, number>) {
    const control = (name: string): number => {
      const id = vocab.get(name);
      if (id === undefined) throw new Error(`the vocabulary has no ${name}`);
      return id;
    };
    this.vocab = vocab;
    this.cls = control('[CLS]');
    this.sep = control('[SEP]');
    this.pad = control('[PAD]');
    this.unk = control('[UNK]');
    this.longestPiece = Math.max(...Array.from(vocab.keys(), (piece) => piece.length));
  }

  /** `vocabText` is a vocab.txt: one piece a line, its number is its line. */
  static fromVocab(vocabText: string): WordPiece {
    const lines = vocabText.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    return new WordPiece(new Map(lines.map((piece, id) => [piece, id])));
  }

  encode(text: string): number[] {
    const pieces: number[] = [];
    for (const word of normalise(text).match(WORDS_AND_MARKS) ?? []) {
      for (let start = 0; start < word.length; start += LONGEST_WORD) {
        for (const id of this.word(word.slice(start, start + LONGEST_WORD))) pieces.push(id);
      }
    }
    return pieces;
  }

  private word(word: string): readonly number[] {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    const pieces = this.longestMatches(word);
    if (this.words.size < REMEMBERED_WORDS) this.words.set(word, pieces);
    return pieces;
  }

  private longestMatches(word: string): number[] {
    const pieces: number[] = [];
    let start = 0;
    while (start < word.length) {
      const prefix = start === 0 ? '' : '##';
      let end = Math.min(word.length, start + this.longestPiece);
      let id = this.vocab.get(prefix + word.slice(start, end));
      while (id === undefined && end > start + 1) {
        end -= 1;
        id = this.vocab.get(prefix + word.slice(start, end));
      }
      if (id === undefined) return [this.unk];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }
}

/** BERT's normaliser: no control characters, ideographs stand alone, no accents, lower case. */
function normalise(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  let cleaned = '';
  for (const character of text) {
    if (/\s/u.test(character)) cleaned += ' ';
    else if (IDEOGRAPH.test(character)) cleaned += ` ${character} `;
    else if (!UNSEEN.test(character)) cleaned += character;
  }
  return cleaned
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
