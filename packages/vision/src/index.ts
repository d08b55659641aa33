export { type PictureHeader, readHeader, refuseTooManyBytes } from './picture/header.js';
export { PICTURE_LIMITS } from './picture/limits.js';
export { PictureUnreadable, type UnreadableReason } from './picture/picture-error.js';
