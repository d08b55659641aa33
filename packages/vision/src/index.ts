export { areaOf } from './faces/boxes.ts';
export { FACE_LIMITS, type Face, FaceReader, FacesInPicture, type FoundFace, isEligible } from './faces/face-reader.ts';
export { TEMPLATE_NUMBERS } from './faces/template.ts';
export { cosineOf, FALSE_MATCH_RATE, similarityOf, thresholdAmong } from './matching/likeness.ts';
export { MatchingLost, MatchThread } from './matching/match-thread.ts';
export { PACKED_BYTES, packTemplate } from './matching/packed.ts';
export { type Found, type Sought, TemplateSet } from './matching/template-set.ts';
export {
  FACE_BUNDLE_FORMAT,
  type FaceBundleManifest,
  FaceBundleUnusable,
  type GraphFile,
  hashOfFile,
  readFaceManifest,
  unusableFiles,
} from './networks/bundle.ts';
export type { Feeds, NetworkOptions, Outputs, RunSession } from './networks/networks.ts';
export { type DecodedPicture, decode, type Pixels } from './picture/decode.ts';
export { type PictureHeader, readHeader, refuseTooManyBytes } from './picture/header.ts';
export { PICTURE_LIMITS } from './picture/limits.ts';
export type { Box, Orientation, Point } from './picture/orientation.ts';
export { PictureUnreadable, type UnreadableReason } from './picture/picture-error.ts';
export {
  FacesBusy,
  FaceThread,
  type FaceThreadOptions,
  MOST_WAITING,
  type ReadOptions,
  type Turn,
} from './thread/face-thread.ts';
export type { PictureFaces, Templates } from './thread/messages.ts';
