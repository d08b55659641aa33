import type { Prepared, PreparedFrame, PreparedQuestions } from '../engine.js';
import type { AskableQuestion } from './questions.js';
import type { ReadableTexts } from './state.js';

export class QuestionSet implements PreparedQuestions {
  readonly items: readonly AskableQuestion[];

  constructor(items: readonly AskableQuestion[]) {
    this.items = items;
  }

  get names(): readonly string[] {
    return this.items.map((item) => item.name);
  }

  get inputTokens(): number {
    return this.items.reduce((sum, item) => sum + item.tokens, 0);
  }

  pick(names: readonly string[]): QuestionSet {
    const wanted = new Set(names);
    return new QuestionSet(this.items.filter((item) => wanted.has(item.name)));
  }
}

export class PrefixRequest implements Prepared {
  readonly model: string;
  readonly state: ReadableTexts;
  readonly questions: QuestionSet;
  readonly alongside: QuestionSet;

  constructor(model: string, state: ReadableTexts, questions: QuestionSet, alongside: QuestionSet) {
    this.model = model;
    this.state = state;
    this.questions = questions;
    this.alongside = alongside;
  }

  get inputTokens(): number {
    return this.state.tokens + this.questions.inputTokens;
  }
}

export class PrefixFrame implements PreparedFrame {
  readonly model: string;
  readonly texts: ReadableTexts;

  constructor(model: string, texts: ReadableTexts) {
    this.model = model;
    this.texts = texts;
  }

  get inputTokens(): number {
    return this.texts.tokens;
  }
}
