export type JsonErrorReason =
  | 'byte_order_mark'
  | 'invalid_utf8'
  | 'syntax'
  | 'trailing_data'
  | 'too_deep'
  | 'duplicate_name'
  | 'name_too_long'
  | 'number_too_long'
  | 'number_out_of_range'
  | 'lone_surrogate';

/** Text that is not JSON, or JSON that is not taken. The message holds nothing of the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';

  constructor(
    readonly reason: JsonErrorReason,
    message: string,
    /** Characters into the text; bytes when the text is not UTF-8. */
    readonly position: number,
  ) {
    super(message);
  }
}
