import {
  Assay,
  BadRequestError,
  type DecideRequest,
  InvalidRequestError,
  type Answer as ServiceAnswer,
} from '@assay/client';
import { type Example, questionOf } from '../examples/example.js';
import type { Answer } from '../metrics/scored.js';
import { type Predictor, RefusedError } from './predictor.js';

const QUESTION = 'question';

/** Asks a running service, one decide call an example, so that what is measured is what a caller gets. */
export class ServicePredictor implements Predictor {
  readonly name: string;

  constructor(
    private readonly service: Pick<Assay, 'decide'>,
    private readonly model: string,
  ) {
    this.name = model;
  }

  static open(baseUrl: string, apiKey: string, model: string): ServicePredictor {
    return new ServicePredictor(new Assay({ baseUrl, apiKey }), model);
  }

  async answer(example: Example): Promise<Answer> {
    const body = { model: this.model, state: example.state, questions: { [QUESTION]: questionOf(example) } };
    try {
      const { answers } = await this.service.decide({ body: body as DecideRequest });
      return listed(answers[QUESTION]!);
    } catch (error) {
      if (error instanceof BadRequestError || error instanceof InvalidRequestError)
        throw new RefusedError(error.message);
      throw error;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function listed(answer: ServiceAnswer): Answer {
  if (answer.type === 'truth') return answer;
  return {
    ...answer,
    probabilities: Object.entries(answer.probabilities).map(([name, probability = 0]) => [name, probability]),
  };
}
