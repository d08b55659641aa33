export type UnreadableReason =
  | 'not_a_picture'
  | 'unsupported'
  | 'too_many_bytes'
  | 'too_many_pixels'
  | 'too_many_frames'
  | 'damaged'
  | 'too_slow'
  | 'too_many_faces';

/** The bytes cannot be taken as a picture. The message is for the caller and quotes none of the bytes. */
export class PictureUnreadable extends Error {
  override readonly name = 'PictureUnreadable';
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
