import type {
  AskOptions,
  ContextAskOptions,
  Decision,
  FramesMark,
  OpenContext,
  Prepared,
  PreparedFrame,
  PreparedQuestions,
} from '../engine/engine.js';
import { checkRequest } from '../engine/limits.js';
import type { NliQuestion } from './questions.js';

export class NliQuestionSet implements PreparedQuestions {
  readonly items: readonly NliQuestion[];

  constructor(items: readonly NliQuestion[]) {
    this.items = items;
  }

  get names(): readonly string[] {
    return this.items.map((item) => item.name);
  }

  get inputTokens(): number {
    return this.items.reduce((sum, item) => sum + item.tokens, 0);
  }

  pick(names: readonly string[]): NliQuestionSet {
    const wanted = new Set(names);
    return new NliQuestionSet(this.items.filter((item) => wanted.has(item.name)));
  }
}

export class NliRequest implements Prepared {
  readonly model: string;
  readonly premise: readonly number[];
  readonly questions: NliQuestionSet;
  readonly alongside: NliQuestionSet;

  constructor(model: string, premise: readonly number[], questions: NliQuestionSet, alongside: NliQuestionSet) {
    this.model = model;
    this.premise = premise;
    this.questions = questions;
    this.alongside = alongside;
  }

  get inputTokens(): number {
    return this.premise.length + this.questions.inputTokens;
  }
}

export class NliFrame implements PreparedFrame {
  readonly pieces: readonly number[];

  constructor(pieces: readonly number[]) {
    this.pieces = pieces;
  }

  get inputTokens(): number {
    return this.pieces.length;
  }
}

interface HeldFrame {
  readonly pieces: readonly number[];
  counted: boolean;
}

class NliFrames implements FramesMark {
  readonly held: readonly HeldFrame[];

  constructor(held: readonly HeldFrame[]) {
    this.held = held;
  }

  get frames(): number {
    return this.held.length;
  }
}

type Ask = (
  premise: readonly number[],
  questions: NliQuestionSet,
  alongside: NliQuestionSet,
  inputTokens: number,
  options: AskOptions,
) => Promise<Decision>;

/** Nothing is kept but the tokens: such a model reads the whole of them for every question. */
export class NliState implements OpenContext {
  private readonly fixed: readonly number[];
  private readonly askEngine: Ask;
  private window: HeldFrame[] = [];

  constructor(fixed: readonly number[], askEngine: Ask) {
    this.fixed = fixed;
    this.askEngine = askEngine;
  }

  get inputTokens(): number {
    return this.fixed.length;
  }

  get frames(): number {
    return this.window.length;
  }

  extend(frame: PreparedFrame): void {
    if (!(frame instanceof NliFrame)) throw new TypeError('a frame prepared by another engine');
    this.window.push({ pieces: frame.pieces, counted: false });
  }

  drop(count: number): void {
    this.window.splice(0, count);
  }

  mark(): FramesMark {
    return new NliFrames([...this.window]);
  }

  restore(mark: FramesMark): void {
    if (!(mark instanceof NliFrames)) throw new TypeError('a mark of another engine');
    this.window = [...mark.held];
  }

  async ask(questions: PreparedQuestions, options: ContextAskOptions): Promise<Decision> {
    const alongside = options.alongside ?? new NliQuestionSet([]);
    if (!(questions instanceof NliQuestionSet) || !(alongside instanceof NliQuestionSet)) {
      throw new TypeError('questions prepared by another engine');
    }
    const premise = [...this.fixed, ...this.window.flatMap((frame) => frame.pieces)];
    checkRequest(premise.length + questions.inputTokens);
    const fresh = this.window.filter((frame) => !frame.counted);
    const tokens = fresh.reduce((sum, { pieces }) => sum + pieces.length, questions.inputTokens);
    const decision = await this.askEngine(premise, questions, alongside, tokens, options);
    for (const frame of fresh) frame.counted = true;
    return decision;
  }

  close(): void {
    this.window = [];
  }
}
