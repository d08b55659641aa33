import type { Example } from '../examples/example.js';
import type { Answer } from '../metrics/scored.js';

/** Anything that answers one typed question about one state. */
export interface Predictor {
  readonly name: string;
  answer(example: Example): Promise<Answer>;
  close(): Promise<void>;
}

/** The predictor will not answer this example, whoever asks again; other errors end the run. */
export class RefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RefusedError';
  }
}
