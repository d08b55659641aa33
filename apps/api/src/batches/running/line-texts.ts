import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { ClaimedLine } from '../store/claims.js';

/** Lines that lie side by side are read together, up to about this many bytes. */
const SPAN_BYTES = 262_144;

/** A stretch of one upload that is read once, when the first of its lines is asked for. */
class Span {
  private content: Promise<Buffer | undefined> | undefined;
  private end: number;

  constructor(
    private readonly blobs: BlobStore,
    private readonly first: ClaimedLine,
  ) {
    this.end = first.start + first.bytes;
  }

  /** False when the line does not lie behind the others, or there would be too much to hold. */
  takes(line: ClaimedLine): boolean {
    const end = line.start + line.bytes;
    if (line.blob !== this.first.blob || line.start < this.end || end - this.first.start > SPAN_BYTES) return false;
    this.end = end;
    return true;
  }

  async text({ start, bytes }: ClaimedLine): Promise<Buffer | undefined> {
    this.content ??= this.read();
    const from = start - this.first.start;
    const text = (await this.content)?.subarray(from, from + bytes);
    return text?.length === bytes ? text : undefined;
  }

  private async read(): Promise<Buffer | undefined> {
    const content = await this.blobs.get(this.first.blob, { start: this.first.start, end: this.end - 1 });
    if (!content) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}

/** The texts of claimed lines. What was read is held as long as a line of it is. */
export class LineTexts {
  private readonly spans = new WeakMap<ClaimedLine, Span>();

  constructor(private readonly blobs: BlobStore) {}

  /** Plans how lines that were claimed together, in the order they lie, will be read. */
  plan(lines: readonly ClaimedLine[]): void {
    let span: Span | undefined;
    for (const line of lines) {
      if (!span?.takes(line)) span = new Span(this.blobs, line);
      this.spans.set(line, span);
    }
  }

  /** Nothing when the upload, or a part of it, is not there any more. */
  text(line: ClaimedLine): Promise<Buffer | undefined> {
    return (this.spans.get(line) ?? new Span(this.blobs, line)).text(line);
  }
}
