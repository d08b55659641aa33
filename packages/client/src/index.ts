export { Assay, type AssayOptions } from './assay.js';
export type { BatchRunOptions } from './batches/batches.js';
export * from './errors.js';
export type * from './generated/types.gen.js';
export { type ImageSource, LARGEST_IMAGE_BYTES, type ToImageOptions, toImage } from './images/to-image.js';
export type { RetryOptions } from './retry.js';
export { SessionEndedError } from './sessions/ended.js';
export type { BackPressure, RefusedFrame, SendOptions, SessionStream } from './sessions/session-stream.js';
export type { SessionOptions, Sessions } from './sessions/sessions.js';
