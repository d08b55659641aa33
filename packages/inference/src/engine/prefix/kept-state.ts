import { Context } from '../../context/context.js';
import type {
  ContextAskOptions,
  Decision,
  FramesMark,
  OpenContext,
  PreparedFrame,
  PreparedQuestions,
} from '../engine.js';
import { checkRequest } from '../limits.js';
import { PrefixFrame, QuestionSet } from './prepared.js';
import type { ReadableTexts } from './state.js';
import { answersOf, ask, type Workshop } from './work.js';

/** A session's state: what it should hold is noted here at once, and read when a question needs it. */
export class KeptState implements OpenContext {
  private readonly model: string;
  private readonly workshop: Workshop;
  private readonly fixed: ReadableTexts;
  private readonly context: Context;
  private readonly emptyState: () => ReadableTexts;
  private window: ReadableTexts[] = [];
  private readonly uncounted = new Set<ReadableTexts>();

  constructor(model: string, workshop: Workshop, fixed: ReadableTexts, emptyState: () => ReadableTexts) {
    this.model = model;
    this.workshop = workshop;
    this.fixed = fixed;
    this.emptyState = emptyState;
    this.context = new Context(workshop.keeper);
  }

  get inputTokens(): number {
    return this.fixed.tokens;
  }

  get frames(): number {
    return this.window.length;
  }

  extend(frame: PreparedFrame): void {
    if (!(frame instanceof PrefixFrame) || frame.model !== this.model) {
      throw new TypeError(`a frame prepared for another model than ${this.model}`);
    }
    // A frame that is sent twice lies twice in the context.
    const texts = { ...frame.texts, blocks: frame.texts.blocks.map(({ tokens }) => ({ tokens })) };
    this.window.push(texts);
    this.uncounted.add(texts);
  }

  drop(count: number): void {
    for (const texts of this.window.splice(0, count)) this.uncounted.delete(texts);
  }

  mark(): FramesMark {
    return new Frames([...this.window]);
  }

  restore(mark: FramesMark): void {
    if (!(mark instanceof Frames)) throw new TypeError('a mark of another engine');
    this.window = [...mark.texts];
    for (const texts of this.uncounted) if (!mark.texts.includes(texts)) this.uncounted.delete(texts);
  }

  async ask(questions: PreparedQuestions, options: ContextAskOptions): Promise<Decision> {
    const asked = itemsOf(questions);
    const alongside = options.alongside === undefined ? [] : itemsOf(options.alongside);
    const texts = [this.fixed, ...this.window];
    if (texts.every((one) => one.blocks.length === 0)) texts.push(this.emptyState());
    checkRequest(texts.reduce((sum, one) => sum + one.slots, questions.inputTokens));
    const frames = this.window.filter((one) => this.uncounted.has(one));
    const blocks = texts.flatMap((one) => one.blocks);
    const work = await ask(this.workshop, this.context, blocks, [...asked, ...alongside], options);
    for (const frame of frames) this.uncounted.delete(frame);
    return {
      answers: answersOf(asked, work),
      alongside: answersOf(alongside, work),
      scores: new Map(asked.map((question) => [question.name, work.scores.get(question)!])),
      usage: { inputTokens: frames.reduce((sum, one) => sum + one.tokens, questions.inputTokens), imageTokens: 0 },
      timings: work.timings,
    };
  }

  close(): void {
    this.context.close();
  }
}

class Frames implements FramesMark {
  readonly texts: readonly ReadableTexts[];

  constructor(texts: readonly ReadableTexts[]) {
    this.texts = texts;
  }

  get frames(): number {
    return this.texts.length;
  }
}

function itemsOf(questions: PreparedQuestions) {
  if (!(questions instanceof QuestionSet)) throw new TypeError('questions prepared by another engine');
  return questions.items;
}
