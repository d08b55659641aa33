import { InferenceSession, Tensor } from 'onnxruntime-node';
import { fetchOriginals } from './fetch/originals.js';
import type { Progress } from './fetch/package.js';
import { fileInZip } from './fetch/zip.js';
import { evaluate } from './tflite/evaluate.js';
import { readNetwork } from './tflite/network.js';

/** What the originals say to inputs that anyone can make again; the converted networks are held against it. */
export interface References {
  /** Every `step`th anchor of a 320 x 240 input: the score of a face and the decoded box, as shares of the sides. */
  readonly detector: { readonly step: number; readonly scores: number[]; readonly boxes: number[][] };
  readonly landmarks: { readonly points: number[]; readonly presence: number };
  readonly template: { readonly numbers: number[] };
}

export const DETECTOR_INPUT = { width: 320, height: 240 } as const;
export const LANDMARKS_SIDE = 256;
export const TEMPLATE_SIDE = 112;
const ANCHOR_STEP = 41;

/** Soft blobs of colour, the same on every machine: red, green, blue planes between 0 and 1. */
export function blobs(width: number, height: number, seed: number): Float32Array {
  const planes = new Float32Array(3 * width * height);
  for (let plane = 0; plane < 3; plane++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const wave = Math.sin((x * (seed + plane)) / 29) * Math.cos((y * (seed + 2 * plane)) / 37);
        const speckle = ((x * 7_919 + y * 104_729 + plane * 1_299_709 + seed * 15_485_863) % 1_009) / 1_009;
        planes[(plane * height + y) * width + x] = 0.5 + 0.35 * wave + 0.15 * (speckle - 0.5);
      }
  return planes;
}

/** The same picture with the colours of a pixel beside each other. */
export function interleaved(planes: Float32Array): Float32Array {
  const area = planes.length / 3;
  return Float32Array.from(planes, (_, at) => planes[(at % 3) * area + Math.floor(at / 3)]!);
}

const QUIET = { logSeverityLevel: 3, intraOpNumThreads: 1 } as const;

async function runOriginal(model: Buffer, input: string, data: Float32Array, shape: number[]) {
  const session = await InferenceSession.create(model, QUIET);
  const outputs = await session.run({ [input]: new Tensor('float32', data, shape) });
  return (name: string) => Array.from(outputs[name]!.data as Float32Array);
}

export async function recordReferences(onProgress: (progress: Progress) => void): Promise<References> {
  const originals = await fetchOriginals(['detector.onnx', 'landmarks.onnx', 'template.onnx'], onProgress);
  const { width, height } = DETECTOR_INPUT;
  const seen = blobs(width, height, 3).map((value) => value * 2 - 1);
  const detector = await runOriginal(originals.get('detector.onnx')!, 'input', seen, [1, 3, height, width]);
  const anchors = Array.from({ length: Math.floor(4_420 / ANCHOR_STEP) }, (_, at) => at * ANCHOR_STEP);
  const boxes = detector('boxes');
  const scores = detector('scores');

  const network = readNetwork(fileInZip(originals.get('landmarks.onnx')!, 'face_landmarks_detector.tflite'));
  const [points, presence] = evaluate(network, interleaved(blobs(LANDMARKS_SIDE, LANDMARKS_SIDE, 5)));

  const crop = blobs(TEMPLATE_SIDE, TEMPLATE_SIDE, 7).map((value) => value * 255);
  const template = await runOriginal(originals.get('template.onnx')!, 'data', crop, [
    1,
    3,
    TEMPLATE_SIDE,
    TEMPLATE_SIDE,
  ]);
  return {
    detector: {
      step: ANCHOR_STEP,
      scores: anchors.map((anchor) => scores[2 * anchor + 1]!),
      boxes: anchors.map((anchor) => boxes.slice(4 * anchor, 4 * anchor + 4)),
    },
    landmarks: { points: Array.from(points!).filter((_, at) => at % 11 === 0), presence: presence![0]! },
    template: { numbers: template('fc1') },
  };
}
