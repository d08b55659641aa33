import { JsonError } from './error.js';

const CHUNK = 4096;
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;
const decoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether these bytes can be the start of UTF-8, with a character cut off at the end. */
function decodes(stream: ReturnType<typeof decoder>, bytes: Uint8Array): boolean {
  try {
    stream.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The first byte that cannot belong to UTF-8; the length when a character is cut off at the end. */
function firstInvalid(bytes: Uint8Array): number {
  const coarse = decoder();
  let chunk = 0;
  while (chunk < bytes.length && decodes(coarse, bytes.subarray(chunk, chunk + CHUNK))) chunk += CHUNK;
  let start = Math.max(0, Math.min(chunk, bytes.length) - 3);
  while (start < bytes.length && isContinuation(bytes[start]!)) start += 1;
  const fine = decoder();
  for (let at = start; at < bytes.length; at += 1) {
    if (!decodes(fine, bytes.subarray(at, at + 1))) return at;
  }
  return bytes.length;
}

/** The text of UTF-8 bytes. A byte order mark is refused: it is no part of JSON. */
export function decodeUtf8(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new JsonError('byte_order_mark', 'The text starts with a byte order mark', 0);
  }
  try {
    return decoder().decode(bytes);
  } catch {
    const at = firstInvalid(bytes);
    throw new JsonError('invalid_utf8', `The text is not UTF-8 at byte ${at}`, at);
  }
}
