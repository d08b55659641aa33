import { Piece, type Splitter, UploadRefused } from './splitter.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

type Place = 'before' | 'first' | 'next' | 'inside' | 'after-element' | 'behind';

const notAnArray = () =>
  new UploadRefused('usage', 'The body must be a JSON array of requests, or JSON Lines as application/x-ndjson');

/**
 * A JSON array: one request per element. Only the frame of the array is checked here (brackets, strings, commas);
 * whether an element is JSON is seen when it is parsed.
 */
export class JsonArray implements Splitter {
  private readonly piece: Piece;
  private place: Place = 'before';
  private line = 1;
  private depth = 0;
  private inString = false;
  private escaped = false;

  constructor(limitBytes: number) {
    this.piece = new Piece(limitBytes);
  }

  *push(chunk: Buffer): Iterable<Buffer> {
    for (let at = 0; at < chunk.length; ) {
      if (this.place !== 'inside') {
        at += this.between(chunk[at]!) ? 1 : 0;
        continue;
      }
      const end = this.endOfElement(chunk, at);
      this.piece.add(chunk.subarray(at, end), this.line);
      at = end;
      if (end < chunk.length) {
        yield this.piece.take();
        this.line += 1;
        this.place = 'after-element';
      }
    }
  }

  end(): Iterable<Buffer> {
    if (this.place === 'before') throw notAnArray();
    if (this.place !== 'behind') throw new UploadRefused('usage', 'the JSON array ends too early', this.line);
    return [];
  }

  /** Takes one byte outside of elements; false when the byte begins an element and is to be read again. */
  private between(byte: number): boolean {
    if (isSpace(byte)) return true;
    if (this.place === 'before' && byte === OPEN_ARRAY) this.place = 'first';
    else if (this.place === 'before' || this.place === 'behind') throw notAnArray();
    else if (byte === CLOSE_ARRAY && this.place !== 'next') this.place = 'behind';
    else if (this.place === 'after-element' && byte === COMMA) this.place = 'next';
    else if (this.place === 'after-element' || byte === COMMA || byte === CLOSE_ARRAY)
      throw new UploadRefused('usage', 'not JSON', this.line);
    else {
      this.place = 'inside';
      return false;
    }
    return true;
  }

  /** Where the element ends that has its next byte at `from`: the chunk's length when it goes on. */
  private endOfElement(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (byte === BACKSLASH) this.escaped = true;
        else if (byte === QUOTE) this.inString = false;
      } else if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.depth += 1;
      else if (this.depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) return at;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.depth -= 1;
    }
    return chunk.length;
  }
}
