import { type Example, questionOf } from '../examples/example.js';
import type { Answer } from '../metrics/scored.js';
import { type Predictor, RefusedError } from './predictor.js';

export interface DecideRequest {
  readonly model: string;
  readonly state: Example['state'];
  readonly questions: { readonly [name: string]: ReturnType<typeof questionOf> };
}

/** The one call that is needed of a client of the service. */
export type Decide = (request: DecideRequest) => Promise<{ readonly answers: { readonly [name: string]: Answer } }>;

const QUESTION = 'question';

/** Asks a running service, one decide call an example, so that what is measured is what a caller gets. */
export class ServicePredictor implements Predictor {
  readonly name: string;

  constructor(
    private readonly model: string,
    private readonly decide: Decide,
  ) {
    this.name = model;
  }

  async answer(example: Example): Promise<Answer> {
    const request = { model: this.model, state: example.state, questions: { [QUESTION]: questionOf(example) } };
    const { answers } = await this.decide(request);
    const answer = answers[QUESTION];
    if (answer === undefined) throw new RefusedError('the response holds no answer to the question');
    return answer;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
