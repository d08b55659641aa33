import { createReadStream } from 'node:fs';
import type { Image } from '../generated/types.gen.js';

/** A path, bytes, or anything that gives bytes piece by piece: a stream, a `Blob`'s stream, a fetched body. */
export type ImageSource = string | URL | Uint8Array | AsyncIterable<Uint8Array> | Blob;

export interface ToImageOptions {
  /** Your name for it, at most 64 characters: errors name it, and `evidence` returns it. */
  readonly id?: string;
}

/** A picture of more bytes is refused by the service; sent inside a request, about three quarters of it fit. */
export const LARGEST_IMAGE_BYTES = 26_214_400;

async function bytesOf(source: ImageSource): Promise<Buffer> {
  if (source instanceof Uint8Array) return Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(source)) {
    length += piece.length;
    if (length > LARGEST_IMAGE_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function piecesOf(source: Exclude<ImageSource, Uint8Array>): AsyncIterable<Uint8Array> {
  if (typeof source === 'string' || source instanceof URL) return createReadStream(source);
  return 'stream' in source ? source.stream() : source;
}

const tooLarge = (): RangeError => new RangeError(`a picture may have at most ${LARGEST_IMAGE_BYTES} bytes`);

/** An image object for `images`, an enrollment or a search, with the picture's bytes in it. What it is, the service reads from them. */
export async function toImage(source: ImageSource, { id }: ToImageOptions = {}): Promise<Image> {
  const bytes = await bytesOf(source);
  if (bytes.length > LARGEST_IMAGE_BYTES) throw tooLarge();
  return { ...(id !== undefined && { id }), data: bytes.toString('base64') };
}
