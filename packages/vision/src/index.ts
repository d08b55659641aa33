export { areaOf } from './faces/boxes.js';
export { FACE_LIMITS, type Face, FaceReader, FacesInPicture, type FoundFace, isEligible } from './faces/face-reader.js';
export { TEMPLATE_NUMBERS } from './faces/template.js';
export {
  FACE_BUNDLE_FORMAT,
  type FaceBundleManifest,
  FaceBundleUnusable,
  type GraphFile,
  hashOfFile,
  readFaceManifest,
  unusableFiles,
} from './networks/bundle.js';
export type { Feeds, NetworkOptions, Outputs, RunSession } from './networks/networks.js';
export { type DecodedPicture, decode, type Pixels } from './picture/decode.js';
export { type PictureHeader, readHeader, refuseTooManyBytes } from './picture/header.js';
export { PICTURE_LIMITS } from './picture/limits.js';
export type { Box, Orientation, Point } from './picture/orientation.js';
export { PictureUnreadable, type UnreadableReason } from './picture/picture-error.js';
