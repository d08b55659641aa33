export { type DecodedPicture, decode, type Pixels } from './picture/decode.js';
export { type PictureHeader, readHeader, refuseTooManyBytes } from './picture/header.js';
export { PICTURE_LIMITS } from './picture/limits.js';
export type { Box, Orientation, Point } from './picture/orientation.js';
export { PictureUnreadable, type UnreadableReason } from './picture/picture-error.js';
