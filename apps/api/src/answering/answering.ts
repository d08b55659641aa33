import type { Answers, DecideRequest } from '@assay/contract';
import {
  type Decision,
  type Engine,
  type JsonValue,
  MaxTokensExceededError,
  type Prepared,
  type Priority,
} from '@assay/inference';
import { Injectable } from '@nestjs/common';
import { Refusal } from '../http/refusal.js';
import { ModelCatalog } from '../models/catalog.js';
import { writtenAnswers } from './answers.js';
import { refusePictures } from './pictures.js';
import { askedQuestions } from './questions.js';
import { asRefusal } from './refusals.js';

/** A request that is right: what it will cost is known, and nothing was computed yet. */
export interface Ready {
  engine: Engine;
  prepared: Prepared;
}

export interface Answered {
  model: string;
  answers: Answers;
  inputTokens: number;
  /** What a live call, and a batch's line, says about the answer beside it. */
  headers: Record<string, string>;
  timings: Decision['timings'];
}

/** The one way from a decision's request to its answers; live calls, sessions and batches all go through here. */
@Injectable()
export class Answering {
  constructor(private readonly catalog: ModelCatalog) {}

  /** Refuses in the order of the contract: unknown model, limits of questions, pictures, tokens; then collections. */
  prepare(request: DecideRequest): Ready {
    const engine = this.engine(request.model);
    const { instructions, state, questions } = request;
    const attempt = attempted(() =>
      engine.prepare({ instructions, state: state as JsonValue | undefined, questions: askedQuestions(questions) }),
    );
    if ('error' in attempt && !(attempt.error instanceof MaxTokensExceededError)) throw asRefusal(attempt.error);
    refusePictures(request);
    if ('error' in attempt) throw asRefusal(attempt.error);
    // Collections are not served by this version, so a workspace has none.
    if (request.collections?.length) throw new Refusal('collection_not_found');
    return { engine, prepared: attempt.value };
  }

  async answer({ engine, prepared }: Ready, options: { priority: Priority; signal: AbortSignal }): Promise<Answered> {
    const decision = await engine.answer(prepared, options).catch((error: unknown) => {
      throw asRefusal(error);
    });
    return {
      model: engine.model.id,
      answers: writtenAnswers(decision.answers),
      inputTokens: decision.usage.inputTokens,
      headers: { 'x-service-model': engine.model.id },
      timings: decision.timings,
    };
  }

  private engine(name: string): Engine {
    if (this.catalog.engines.length === 0) throw new Refusal('overloaded_error', { message: 'No model is installed.' });
    const found = this.catalog.find(name);
    if (!found) throw new Refusal('api_usage_error', { message: `Unknown model: ${name}` });
    return found;
  }
}

function attempted<T>(step: () => T): { value: T } | { error: unknown } {
  try {
    return { value: step() };
  } catch (error) {
    return { error };
  }
}
