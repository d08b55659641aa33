import type { Answers, Evidence } from '@assay/contract';
import type {
  Decision,
  Engine,
  FramesMark,
  JsonValue,
  ModelInfo,
  OpenContext,
  PreparedFrame,
  PreparedQuestions,
  Question,
} from '@assay/inference';
import type { PictureReading } from '../../images/reading/picture-reading.js';
import type { CheckedRequest } from '../../safety/asked.js';
import type { SafetyScores } from '../../safety/category.js';
import type { RequestIdentity } from '../../safety/check.js';
import type { Safety } from '../../safety/safety.js';
import { writtenAnswers } from '../answers.js';
import { EVIDENCE_FORMAT, type EvidenceGathering } from '../evidence.js';
import { refuseTooMany, refuseUnreadable } from '../pictures.js';
import { asRefusal } from '../refusals.js';
import { type FrameContent, type KeptFrame, viewOf } from './content.js';

export interface KeptParts {
  readonly engine: Engine;
  /** Frames kept, the one being answered included. */
  readonly window: number;
  readonly safety: Safety;
  readonly pictures: PictureReading;
  readonly evidence: EvidenceGathering;
}

export interface FrameOptions {
  readonly signal: AbortSignal;
  readonly identity: RequestIdentity;
  readonly workspace: { readonly id: string; readonly zeroRetention: boolean };
}

export interface FrameAnswer {
  readonly answers: Answers;
  readonly inputTokens: number;
  /** Absent where the check is off. */
  readonly safety: SafetyScores | undefined;
  readonly timings: Decision['timings'];
  /** What was found in a picture; there when collections were named. */
  readonly evidence: Evidence | undefined;
}

type Picture = FrameContent & { readonly kind: 'picture' };

interface Shown {
  readonly frame: PreparedFrame;
  readonly view: string;
  readonly evidence?: Evidence | undefined;
}

const STREAM = 'stream';

/** A fixed part and the recent frames, as the engine keeps them. One frame is answered at a time. */
export class KeptContext {
  readonly model: ModelInfo;
  private readonly context: OpenContext;
  private readonly questions: PreparedQuestions;
  private readonly asked: ReadonlyMap<string, Question>;
  private readonly instructions: CheckedRequest['instructions'];
  private readonly fixedView: string | undefined;
  /** What the safety check reads of each frame in the window. */
  private views: readonly string[] = [];

  constructor(
    private readonly parts: KeptParts,
    asked: CheckedRequest,
  ) {
    const { engine } = parts;
    this.model = engine.model;
    this.asked = new Map(asked.questions instanceof Map ? asked.questions : Object.entries(asked.questions));
    const state = elementsOrNone(asked.state);
    this.context = engine.createContext({ instructions: asked.instructions, state });
    this.questions = engine.prepareQuestions(asked.questions);
    this.instructions = asked.instructions;
    this.fixedView = state === undefined ? undefined : viewOf(state);
  }

  /** What the fixed part costs, once: instructions, state and questions. */
  get inputTokens(): number {
    return this.context.inputTokens + this.questions.inputTokens;
  }

  has(question: string): boolean {
    return this.asked.has(question);
  }

  /** Reads the fixed part, so that the first frame does not wait for it. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.context.inputTokens === 0) return;
    const cheapest = [...this.asked.keys()]
      .map((name) => this.questions.pick([name]))
      .reduce((least, each) => (each.inputTokens < least.inputTokens ? each : least));
    await this.context.ask(cheapest, { priority: STREAM, signal }).catch((error: unknown) => {
      throw asRefusal(error);
    });
  }

  /** Throws the refusal of a frame that is too long. */
  text(frame: JsonValue): FrameContent {
    try {
      return { kind: 'text', frame: this.parts.engine.prepareFrame(frame), view: viewOf([frame]) };
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /**
   * Answers on the fixed part and the window with this frame in it. A frame whose answer does not come about, or is not accepted, has
   * never been in the window.
   */
  async answer(
    frame: KeptFrame,
    options: FrameOptions,
    accept: (answer: FrameAnswer) => Promise<void>,
  ): Promise<FrameAnswer> {
    const before = { mark: this.context.mark(), views: this.views };
    try {
      const evidence = await this.show(frame, options);
      const answer = { ...(await this.decide(frame.questions, options)), evidence };
      if (frame.content.kind === 'picture') await this.parts.pictures.useUp([frame.content.image], options.workspace);
      await accept(answer);
      return answer;
    } catch (error) {
      this.goBack(before);
      throw asRefusal(error);
    }
  }

  /** Gives the memory back. Nothing may be under way. */
  close(): void {
    this.context.close();
    this.views = [];
  }

  private async show({ content, questions, reset }: KeptFrame, options: FrameOptions): Promise<Evidence | undefined> {
    const shown: Shown = content.kind === 'text' ? content : await this.look(content, questions, options);
    const kept = reset ? 0 : Math.min(this.context.frames, this.parts.window - 1);
    this.context.drop(this.context.frames - kept);
    this.context.extend(shown.frame);
    this.views = [...this.views.slice(this.views.length - kept), shown.view];
    return shown.evidence;
  }

  private async look(
    { image, collections }: Picture,
    names: readonly string[] | undefined,
    { signal, workspace }: FrameOptions,
  ): Promise<Shown> {
    const { pictures, engine, evidence } = this.parts;
    const call = { workspaceId: workspace.id, signal };
    refuseTooMany({ collections: [...collections] });
    await pictures.check([image], call);
    refuseUnreadable(this.questionsOf(names), collections.length > 0);
    const named = await evidence.named(workspace.id, collections);
    const [read] = await pictures.read([image], call, named.length > 0 ? 'all' : 'none');
    if (!read) throw new Error('A picture was not read');
    const { text, shown } = await evidence.see(read, image.id ?? null, named);
    const found: Evidence | undefined = named.length > 0 ? { format: EVIDENCE_FORMAT, images: [shown] } : undefined;
    return { frame: engine.prepareFrame(text), view: text, evidence: found };
  }

  private async decide(
    names: readonly string[] | undefined,
    options: FrameOptions,
  ): Promise<Omit<FrameAnswer, 'evidence'>> {
    const { engine, safety } = this.parts;
    const { signal } = options;
    const verdict = await safety.check(engine, this.checked(names), options.identity, { priority: STREAM, signal });
    const questions = names ? this.questions.pick(names) : this.questions;
    const decision = await this.context.ask(questions, { priority: STREAM, signal });
    return {
      answers: writtenAnswers(decision.answers),
      inputTokens: decision.usage.inputTokens,
      safety: verdict.scores,
      timings: decision.timings,
    };
  }

  /** What the safety check reads: the questions asked of this frame, about everything in view. */
  private checked(names: readonly string[] | undefined): CheckedRequest {
    return {
      instructions: this.instructions,
      state: [...(this.fixedView === undefined ? [] : [this.fixedView]), ...this.views],
      questions: this.questionsOf(names),
    };
  }

  private questionsOf(names: readonly string[] | undefined): ReadonlyMap<string, Question> {
    const wanted = new Set(names ?? this.asked.keys());
    return new Map([...this.asked].filter(([name]) => wanted.has(name)));
  }

  private goBack({ mark, views }: { mark: FramesMark; views: readonly string[] }): void {
    this.context.restore(mark);
    this.views = views;
  }
}

/** A decision about `[]` is one about an empty text; before frames, it is no element at all. */
const elementsOrNone = (state: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(state) && state.length === 0 ? undefined : state;
