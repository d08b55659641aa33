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
import type { CheckedRequest } from '../safety/asked.js';
import type { RequestIdentity, SafetyVerdict } from '../safety/check.js';
import { Safety } from '../safety/safety.js';
import { writtenAnswers } from './answers.js';
import { refusePictures } from './pictures.js';
import { askedQuestions } from './questions.js';
import { asRefusal } from './refusals.js';

/** A request that is right: what it will cost is known, and nothing was computed yet. */
export interface Ready {
  engine: Engine;
  prepared: Prepared;
  /** What the safety check reads. */
  asked: CheckedRequest;
}

export interface AnsweringOptions {
  priority: Priority;
  signal: AbortSignal;
  /** Whose request it is, for the safety check's log. */
  identity?: RequestIdentity;
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
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly safety: Safety,
  ) {}

  /** Refuses in the order of the contract: unknown model, limits of questions, pictures, tokens; then collections. */
  prepare(request: DecideRequest): Ready {
    const engine = this.engine(request.model);
    const { instructions, state, questions } = request;
    const asked = { instructions, state: state as JsonValue | undefined, questions: askedQuestions(questions) };
    const attempt = attempted(() => engine.prepare(asked));
    if ('error' in attempt && !(attempt.error instanceof MaxTokensExceededError)) throw asRefusal(attempt.error);
    refusePictures(request);
    if ('error' in attempt) throw asRefusal(attempt.error);
    // Collections are not served by this version, so a workspace has none.
    if (request.collections?.length) throw new Refusal('collection_not_found');
    return { engine, prepared: attempt.value, asked };
  }

  /** Passes the safety check first: what it refuses is not answered. */
  async answer({ engine, prepared, asked }: Ready, options: AnsweringOptions): Promise<Answered> {
    const { verdict, decision } = await this.decide(engine, prepared, asked, options).catch((error: unknown) => {
      throw asRefusal(error);
    });
    return {
      model: engine.model.id,
      answers: writtenAnswers(decision.answers),
      inputTokens: decision.usage.inputTokens,
      headers: { 'x-service-model': engine.model.id, ...verdict.headers },
      timings: decision.timings,
    };
  }

  private async decide(
    engine: Engine,
    prepared: Prepared,
    asked: CheckedRequest,
    { priority, signal, identity = {} }: AnsweringOptions,
  ): Promise<{ verdict: SafetyVerdict; decision: Decision }> {
    const verdict = await this.safety.check(engine, asked, identity, { priority, signal });
    return { verdict, decision: await engine.answer(prepared, { priority, signal }) };
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
