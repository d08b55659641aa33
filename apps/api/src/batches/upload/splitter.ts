/** Why an upload is refused as a whole; `line` counts the requests of the call from 1. */
export class UploadRefused extends Error {
  constructor(
    readonly problem: 'usage' | 'too_large',
    message: string,
    readonly line?: number,
  ) {
    super(line === undefined ? message : `Line ${line}: ${message}`);
  }
}

/** Cuts a body that arrives in chunks into the texts of its requests, holding no more than one of them. */
export interface Splitter {
  push(chunk: Buffer): Iterable<Buffer>;
  /** Says what was still open, or refuses what is incomplete. */
  end(): Iterable<Buffer>;
}

/** The part of one request that has arrived so far; it is refused before it grows over the limit. */
export class Piece {
  private parts: Buffer[] = [];
  private held = 0;

  constructor(private readonly limitBytes: number) {}

  get length(): number {
    return this.held;
  }

  add(part: Buffer, line: number): void {
    if (part.length === 0) return;
    this.held += part.length;
    if (this.held > this.limitBytes)
      throw new UploadRefused('too_large', `a request may have at most ${this.limitBytes} bytes`, line);
    this.parts.push(part);
  }

  take(): Buffer {
    const whole = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts, this.held);
    this.parts = [];
    this.held = 0;
    return whole;
  }
}
