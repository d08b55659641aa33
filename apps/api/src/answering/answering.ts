import type { Answers, DecideRequest, Evidence } from '@assay/contract';
import {
  type Decision,
  type Engine,
  type JsonValue,
  MaxTokensExceededError,
  type Prepared,
  type Priority,
} from '@assay/inference';
import { Injectable } from '@nestjs/common';
import type { Workspace } from '../access/workspaces/workspace.js';
import { Refusal } from '../http/refusal.js';
import type { ImageObject } from '../images/intake.js';
import { PictureReading } from '../images/reading/picture-reading.js';
import { ModelCatalog } from '../models/catalog.js';
import type { CheckedRequest } from '../safety/asked.js';
import type { RequestIdentity, SafetyVerdict } from '../safety/check.js';
import { Safety } from '../safety/safety.js';
import { writtenAnswers } from './answers.js';
import { EVIDENCE_FORMAT, EvidenceGathering, type SeenPicture } from './evidence.js';
import { refuseTooMany, refuseUnreadable, withPictures } from './pictures.js';
import { askedQuestions } from './questions.js';
import { asRefusal } from './refusals.js';

/** A request that is right: what it will cost is known, and nothing was computed yet. */
export interface Ready {
  engine: Engine;
  prepared: Prepared;
  /** What the safety check reads. */
  asked: CheckedRequest;
  images: readonly ImageObject[];
  /** Whose faces are looked for in the images. */
  collections: readonly string[];
}

/** Whose uploads a request may name. */
export type PictureOwner = Pick<Workspace, 'id' | 'zeroRetention'>;

export interface AnsweringOptions {
  priority: Priority;
  signal: AbortSignal;
  /** Whose request it is, for the safety check's log. */
  identity?: RequestIdentity;
  workspace: PictureOwner;
}

export interface Answered {
  model: string;
  answers: Answers;
  inputTokens: number;
  /** What a live call, and a batch's line, says about the answer beside it. */
  headers: Record<string, string>;
  timings: Decision['timings'];
  /** What was found in the images; there when collections were named. */
  evidence?: Evidence;
}

interface Seen extends Pick<Ready, 'engine' | 'prepared' | 'asked'> {
  imageTokens: number;
  evidence: Evidence['images'];
}

/** The one way from a decision's request to its answers; live calls, sessions and batches all go through here. */
@Injectable()
export class Answering {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly safety: Safety,
    private readonly pictures: PictureReading,
    private readonly evidence: EvidenceGathering,
  ) {}

  /** Refuses in the order of the contract: unknown model, limits of questions, pictures, tokens; then collections. */
  prepare(request: DecideRequest): Ready {
    const engine = this.engine(request.model);
    const { instructions, state, questions } = request;
    const asked = { instructions, state: state as JsonValue | undefined, questions: askedQuestions(questions) };
    const attempt = attempted(() => engine.prepare(asked));
    if ('error' in attempt && !(attempt.error instanceof MaxTokensExceededError)) throw asRefusal(attempt.error);
    refuseTooMany(request);
    if ('error' in attempt) throw asRefusal(attempt.error);
    const { images = [], collections = [] } = request;
    return { engine, prepared: attempt.value, asked, images, collections };
  }

  /** Refuses what can be seen to be wrong with pictures and collections without fetching or reading one. */
  async checkPictures({ images, asked, collections }: Ready, { id }: PictureOwner): Promise<void> {
    if (images.length > 0) {
      await this.pictures.check(images, { workspaceId: id });
      refuseUnreadable(asked.questions, collections.length > 0);
    }
    await this.evidence.named(id, collections);
  }

  /** Reads the pictures, and passes the safety check: what it refuses is not answered. */
  async answer(ready: Ready, options: AnsweringOptions): Promise<Answered> {
    const { engine, prepared, asked, imageTokens, evidence } = await this.look(ready, options);
    const { verdict, decision } = await this.decide(engine, prepared, asked, options).catch((error: unknown) => {
      throw asRefusal(error);
    });
    await this.pictures.useUp(ready.images, options.workspace);
    return {
      model: engine.model.id,
      answers: writtenAnswers(decision.answers),
      inputTokens: decision.usage.inputTokens,
      headers: {
        'x-service-model': engine.model.id,
        ...verdict.headers,
        ...(ready.images.length > 0 && { 'x-service-image-tokens': String(imageTokens) }),
      },
      timings: decision.timings,
      ...(ready.collections.length > 0 && { evidence: { format: EVIDENCE_FORMAT, images: evidence } }),
    };
  }

  /** A request whose pictures were read: their text is part of its state, and of its tokens. */
  private async look(ready: Ready, options: AnsweringOptions): Promise<Seen> {
    const { engine, asked, images } = ready;
    if (images.length === 0) return { ...ready, imageTokens: 0, evidence: [] };
    const pictures = await this.see(ready, options);
    const seen = { ...asked, state: withPictures(asked.state, pictures) };
    const attempt = attempted(() => engine.prepare(seen));
    if ('error' in attempt) throw asRefusal(attempt.error);
    const alone = engine.prepare({ ...asked, state: withPictures(asked.state, []) });
    const imageTokens = attempt.value.inputTokens - alone.inputTokens;
    return { engine, asked: seen, prepared: attempt.value, imageTokens, evidence: pictures.map(({ shown }) => shown) };
  }

  private async see({ images, collections }: Ready, { signal, workspace }: AnsweringOptions): Promise<SeenPicture[]> {
    const named = await this.evidence.named(workspace.id, collections);
    const templates = named.length > 0 ? 'all' : 'none';
    const read = await this.pictures.read(images, { workspaceId: workspace.id, signal }, templates);
    const seen: SeenPicture[] = [];
    for (const [at, picture] of read.entries())
      seen.push(await this.evidence.see(picture, images[at]?.id ?? null, named));
    return seen;
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
