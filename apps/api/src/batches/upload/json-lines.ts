import { Piece, type Splitter } from './splitter.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

const isBlank = (line: Buffer): boolean =>
  line.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);

/** Empty lines cost one comparison each, so that an upload of nothing else keeps nobody waiting. */
function pastNewlines(chunk: Buffer, start: number): number {
  let at = start;
  while (chunk[at] === NEWLINE) at += 1;
  return at;
}

/** JSON Lines: one request per line; a line of white space only is no request, and the last one needs no newline. */
export class JsonLines implements Splitter {
  private readonly piece: Piece;
  private line = 1;

  constructor(limitBytes: number) {
    this.piece = new Piece(limitBytes);
  }

  *push(chunk: Buffer): Iterable<Buffer> {
    let from = this.piece.length === 0 ? pastNewlines(chunk, 0) : 0;
    for (let at = chunk.indexOf(NEWLINE, from); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.piece.add(chunk.subarray(from, at), this.line);
      from = pastNewlines(chunk, at + 1);
      yield* this.finish();
    }
    this.piece.add(chunk.subarray(from), this.line);
  }

  *end(): Iterable<Buffer> {
    yield* this.finish();
  }

  private *finish(): Iterable<Buffer> {
    const text = this.piece.take();
    if (isBlank(text)) return;
    this.line += 1;
    yield text;
  }
}
