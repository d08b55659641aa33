import type { Block } from '../../context/context.js';
import { slotsOf } from '../../context/slots.js';
import { cutBlocks } from '../../text/blocks.js';
import { encodeAtMost } from '../../text/bounded.js';
import type { WordPiece } from '../../text/wordpiece.js';

/** Texts as blocks. */
export interface ReadableTexts {
  readonly blocks: readonly Block[];
  /** What they cost: every piece and the two control tokens of every block, each once. */
  readonly tokens: number;
  /** What they take of the request limit: as `tokens`, each block rounded up to its 16 slots. */
  readonly slots: number;
}

/** Undefined as soon as the texts take more than `atMost` slots. */
export function blocksOf(
  tokenizer: WordPiece,
  texts: readonly string[],
  blockPieces: number,
  atMost: number,
): ReadableTexts | undefined {
  const blocks: Block[] = [];
  let slots = 0;
  for (const text of texts) {
    const pieces = encodeAtMost(tokenizer, text, atMost - slots);
    if (pieces === undefined) return undefined;
    for (const tokens of cutBlocks(pieces, blockPieces, tokenizer)) {
      blocks.push({ tokens });
      slots += slotsOf([tokens.length]);
    }
    if (slots > atMost) return undefined;
  }
  return { blocks, slots, tokens: blocks.reduce((sum, block) => sum + block.tokens.length, 0) };
}
