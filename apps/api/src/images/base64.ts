import { PICTURE_LIMITS, refuseTooManyBytes } from '@assay/vision';

/** RFC 4648 section 4, padding optional, nothing else: no line breaks, no url alphabet, no `data:` prefix. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The most characters that can hold a picture within the limit of bytes. */
export const MAX_BASE64_CHARACTERS = Math.ceil(PICTURE_LIMITS.bytes / 3) * 4;

/** The bytes, or what is wrong with the text. Its length is judged before any of it is decoded. */
export function decodeBase64(text: string): Buffer | { readonly problem: string } {
  if (text.length > MAX_BASE64_CHARACTERS) refuseTooManyBytes(Math.floor((text.length / 4) * 3));
  if (text.startsWith('data:')) return { problem: 'send the base64 alone, without the "data:" prefix' };
  if (!BASE64.test(text)) return { problem: 'data is not base64' };
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  if (digits % 4 === 1 || (digits !== text.length && text.length % 4 !== 0))
    return { problem: 'data is cut-off base64' };
  return Buffer.from(text, 'base64');
}
