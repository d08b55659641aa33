export type ImageErrorKind =
  /** `data` is not base64. */
  | 'not_base64'
  /** The bytes are no picture, or one over the limits. */
  | 'unreadable'
  /** The url is one that this service does not fetch. */
  | 'url_refused'
  /** The url may be fetched, but its server did not answer as it should, or not in time. */
  | 'url_unreached'
  /** The upload does not exist for this workspace, has expired, or was used up. */
  | 'upload_unknown';

/** A picture of a request could not be taken in. Carries the caller's name for it; each surface says it its own way. */
export class ImageError extends Error {
  override readonly name = 'ImageError';

  constructor(
    readonly kind: ImageErrorKind,
    /** The caller's id for it, or its place in the list: `1` is the first. */
    readonly image: string | number,
    /** What is wrong, without the name. */
    readonly problem: string,
  ) {
    super(`Image ${JSON.stringify(image)}: ${problem}`);
  }
}
