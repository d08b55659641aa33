/** What a picture may measure, read from its header before anything is decoded. */
export const PICTURE_LIMITS = {
  /** Stored bytes; one more is `too_many_bytes`. */
  bytes: 26_214_400,
  /** Width times height; one more is `too_many_pixels`. */
  pixels: 50_000_000,
  /** The same for a progressive JPEG or interlaced PNG, whose decoder has to hold all of it at once; half of it at 16 bits. */
  progressivePixels: 20_000_000,
  /** Either side; one more is `too_many_pixels`. */
  side: 32_768,
  /** A moving picture has no one answer: two frames are `too_many_frames`. */
  frames: 1,
  /** Segments or chunks walked in search of the size; a header that needs more is `damaged`. */
  headerParts: 4_096,
  /** Seconds one decoding may take; longer is `too_slow`. */
  decodeSeconds: 5,
} as const;
