export interface ControlTokens {
  readonly cls: number;
  readonly sep: number;
}

/** One text as blocks of `[CLS]`, at most `blockPieces` pieces, `[SEP]`. An empty text is one empty block. */
export function cutBlocks(pieces: readonly number[], blockPieces: number, control: ControlTokens): Int32Array[] {
  const blocks: Int32Array[] = [];
  for (let start = 0; start === 0 || start < pieces.length; start += blockPieces) {
    const part = pieces.slice(start, start + blockPieces);
    blocks.push(Int32Array.of(control.cls, ...part, control.sep));
  }
  return blocks;
}
