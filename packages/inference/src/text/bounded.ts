interface Encoder {
  encode(text: string): number[];
}

/** Characters that are read at once. */
const SLICE = 16_384;
/** Without a space for so long, a text is over any limit here: no piece is nearly long enough to bring it under. */
const UNBROKEN = 4_194_304;

/**
 * The pieces of a text, or undefined as soon as they are more than `atMost`: what is refused costs no more than
 * what is allowed. Cut where a space is, which is between words however they are written.
 */
export function encodeAtMost(encoder: Encoder, text: string, atMost: number): number[] | undefined {
  const pieces: number[] = [];
  const space = /\s/g;
  for (let from = 0; from < text.length; ) {
    space.lastIndex = from + SLICE;
    const end = space.exec(text)?.index ?? text.length;
    if (end - from > UNBROKEN) return undefined;
    for (const piece of encoder.encode(text.slice(from, end))) pieces.push(piece);
    if (pieces.length > atMost) return undefined;
    from = end;
  }
  return pieces;
}
