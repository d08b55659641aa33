import type { CalibrationMeasure } from '../calibration/calibration.js';
import type { Answer } from '../questions/answer.js';
import type { Named } from '../questions/named.js';
import type { Question } from '../questions/question.js';
import type { Priority } from '../scheduler/ticket.js';
import type { JsonValue } from '../text/json.js';

export interface ModelInfo {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly createdAt: string;
  readonly inputUsdPerMillionTokens: number;
  readonly calibration: readonly CalibrationMeasure[];
}

/** What does not change while questions are asked about it. */
export interface FixedPart {
  readonly instructions?: string | null | undefined;
  readonly state?: JsonValue | undefined;
}

export interface DecideInput extends FixedPart {
  readonly questions: Named<Question>;
  /** Asked about the same state for the service's own sake, a safety check for one: answered apart, in no usage. */
  readonly alongside?: Named<Question> | undefined;
}

/** A request that is within every limit, as tokens. Only the engine that prepared it can answer it. */
export interface Prepared {
  readonly model: string;
  readonly inputTokens: number;
}

/** The questions of a session, as tokens. */
export interface PreparedQuestions {
  readonly names: readonly string[];
  readonly inputTokens: number;
  /** Only these, in the order they were prepared. */
  pick(names: readonly string[]): PreparedQuestions;
}

/** A frame within its limit, as tokens. */
export interface PreparedFrame {
  readonly inputTokens: number;
}

/** What the frames of a context were at a moment; only the context that made it knows what it means. */
export interface FramesMark {
  readonly frames: number;
}

export interface Usage {
  readonly inputTokens: number;
  /** The part of `inputTokens` that pictures cost. */
  readonly imageTokens: number;
}

/** Milliseconds: waiting for others, reading the state, asking the questions. */
export interface Timings {
  readonly queue: number;
  readonly read: number;
  readonly ask: number;
}

/** What an answer was made of, unrounded: for measuring and fitting, not for callers. */
export interface Scores {
  /** A ranking and a truth logit for each candidate. */
  readonly logits: readonly number[];
  readonly probabilities: readonly number[];
}

export interface Decision {
  /** One answer for each question, in the order asked. */
  readonly answers: ReadonlyMap<string, Answer>;
  readonly alongside: ReadonlyMap<string, Answer>;
  readonly scores: ReadonlyMap<string, Scores>;
  readonly usage: Usage;
  readonly timings: Timings;
}

export interface AskOptions {
  readonly priority: Priority;
  /** Fires when the caller has left: nothing more is computed, and the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ContextAskOptions extends AskOptions {
  readonly alongside?: PreparedQuestions | undefined;
}

/**
 * A state that is kept: a fixed part and frames after it. `extend` and `drop` cost nothing by themselves; the next
 * `ask` reads what is new. Its answers are those of a decision whose state is the fixed part's elements and the frames.
 */
export interface OpenContext {
  /** What the fixed part costs, once. */
  readonly inputTokens: number;
  readonly frames: number;
  extend(frame: PreparedFrame): void;
  /** Forgets the `count` oldest frames. */
  drop(count: number): void;
  /** The frames as they are now, for `restore`: when a new one cannot be answered, it was never there. */
  mark(): FramesMark;
  restore(mark: FramesMark): void;
  /**
   * Rejects before any work when fixed part, frames and questions together are over the request limit. Its usage is the
   * questions' tokens and those of the frames that no `ask` before it has counted. One at a time.
   */
  ask(questions: PreparedQuestions, options: ContextAskOptions): Promise<Decision>;
  close(): void;
}

/** State and questions in, answers out. One for each model. */
export interface Engine {
  readonly model: ModelInfo;
  /** Throws what the caller has to change; does no model work. */
  prepare(input: DecideInput): Prepared;
  answer(prepared: Prepared, options: AskOptions): Promise<Decision>;
  /** The mean final state of a text, for a classifier that was fitted on such; an engine that keeps none has no such call. */
  embed?(text: string, options: AskOptions): Promise<Float32Array>;
  prepareQuestions(questions: Named<Question>): PreparedQuestions;
  prepareFrame(frame: JsonValue): PreparedFrame;
  /** Holds no memory until the first `ask`. */
  createContext(fixed: FixedPart): OpenContext;
}
