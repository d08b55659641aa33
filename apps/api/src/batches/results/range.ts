/** Which bytes of a file a GET asks for: all, or some, both ends included. */
export type Wanted = 'whole' | { readonly first: number; readonly last: number };

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** Several ranges, one that the file does not reach and anything unreadable are answered with the whole file, as HTTP allows. */
export function wantedRange(
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
  bytes: number,
): Wanted {
  const [, from = '', to = ''] = ONE_RANGE.exec(range ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (ifRange !== undefined && ifRange !== etag) return 'whole';
  if (from === '') {
    const last = Number(to);
    return last === 0 || bytes === 0 ? 'whole' : { first: Math.max(0, bytes - last), last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first >= bytes ? 'whole' : { first, last };
}

/** Whether the caller has this version already. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === etag) ?? false;
