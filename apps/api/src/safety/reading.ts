import type { Engine } from '@assay/inference';
import { type CheckedRequest, whatIsAsked } from './asked.js';
import type { ScoringOptions } from './scorer.js';

/** Changes when a reading is made in another way: a fit of another number is of no use. */
export const READING = 1;

/** Of this length, so that one penalty suits every model. */
const LENGTH = 10;
/** What is asked says more than what it is asked about. */
const STATE_SHARE = 0.5;

/** An engine that can be read from: not every kind of model can. */
export type ReadableEngine = Engine & Required<Pick<Engine, 'embed'>>;

export const isReadable = (engine: Engine): engine is ReadableEngine => engine.embed !== undefined;

function scaled(state: Float32Array, length: number): number[] {
  const norm = Math.hypot(...state) || 1;
  return Array.from(state, (value) => (value * length) / norm);
}

/** For each part of what is asked, its mean state and that of the view of the state, side by side. */
export async function readings(
  engine: ReadableEngine,
  request: CheckedRequest,
  options: ScoringOptions,
): Promise<number[][]> {
  const parts = whatIsAsked(request);
  const about = parts[0]?.[1];
  const state = about === undefined ? undefined : await engine.embed(about, options);
  const read: number[][] = [];
  for (const [asked = ''] of parts) {
    const mean = await engine.embed(asked, options);
    read.push([...scaled(mean, LENGTH), ...scaled(state ?? new Float32Array(mean.length), LENGTH * STATE_SHARE)]);
  }
  return read;
}
