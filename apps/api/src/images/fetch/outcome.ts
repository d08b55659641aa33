/** The url is one that is not fetched; the reason is for the caller. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/** The url may be fetched, but did not deliver; the reason is for the caller. */
export class FetchUnreached extends Error {
  override readonly name = 'FetchUnreached';
}
