import type { NliBundle } from '../bundle/load.js';
import type {
  AskOptions,
  DecideInput,
  Decision,
  Engine,
  FixedPart,
  ModelInfo,
  OpenContext,
  Prepared,
  PreparedFrame,
  Scores,
} from '../engine/engine.js';
import { FrameTooLongError, MaxTokensExceededError } from '../engine/errors.js';
import { checkFrame, checkRequest, FRAME_TOKENS, REQUEST_TOKENS } from '../engine/limits.js';
import type { Named } from '../questions/named.js';
import type { Question } from '../questions/question.js';
import { typeOf } from '../questions/types.js';
import type { Scheduler } from '../scheduler/scheduler.js';
import { encodeAtMost } from '../text/bounded.js';
import type { JsonValue } from '../text/json.js';
import { renderState } from '../text/render.js';
import { type ControlIds, controlIds, type Pair, pairsOf } from './pairs.js';
import { NliFrame, NliQuestionSet, NliRequest, NliState } from './prepared.js';
import { type NliQuestion, nliQuestions } from './questions.js';

/**
 * A ready-made entailment model: premise and hypothesis are read together, for every candidate anew. A state longer than
 * the model's positions is read in windows, and a candidate is as likely as in the window that says most for it.
 */
export class NliEngine implements Engine {
  readonly model: ModelInfo;
  private readonly bundle: NliBundle;
  private readonly scheduler: Scheduler;
  private readonly control: ControlIds;

  constructor(bundle: NliBundle, scheduler: Scheduler) {
    const { manifest, calibration } = bundle;
    this.bundle = bundle;
    this.scheduler = scheduler;
    this.control = controlIds(bundle.tokenizer);
    this.model = {
      id: manifest.id,
      aliases: manifest.aliases,
      createdAt: manifest.createdAt,
      inputUsdPerMillionTokens: manifest.inputUsdPerMillionTokens,
      calibration: calibration.measured,
    };
  }

  prepare(input: DecideInput): Prepared {
    const questions = this.prepareQuestions(input.questions);
    const alongside = this.prepareQuestions(input.alongside ?? {});
    const state = this.premise({ ...input, state: input.state ?? '' });
    checkRequest(state.length + questions.inputTokens);
    return new NliRequest(this.model.id, state, questions, alongside);
  }

  async answer(prepared: Prepared, options: AskOptions): Promise<Decision> {
    if (!(prepared instanceof NliRequest) || prepared.model !== this.model.id) {
      throw new TypeError(`prepared for another model than ${this.model.id}`);
    }
    return await this.ask(prepared.premise, prepared.questions, prepared.alongside, prepared.inputTokens, options);
  }

  prepareQuestions(questions: Named<Question>): NliQuestionSet {
    return new NliQuestionSet(nliQuestions(this.bundle.tokenizer, questions, this.maxTokens / 2));
  }

  prepareFrame(frame: JsonValue): PreparedFrame {
    const pieces = this.encode(renderState([frame]).join('\n'), FRAME_TOKENS);
    if (pieces === undefined) throw new FrameTooLongError(FRAME_TOKENS);
    checkFrame(pieces.length);
    return new NliFrame(pieces);
  }

  createContext(fixed: FixedPart): OpenContext {
    const ask: ConstructorParameters<typeof NliState>[1] = (premise, questions, alongside, tokens, options) =>
      this.ask(premise, questions, alongside, tokens, options);
    return new NliState(this.premise(fixed), ask);
  }

  private async ask(
    premise: readonly number[],
    questions: NliQuestionSet,
    alongside: NliQuestionSet,
    inputTokens: number,
    options: AskOptions,
  ): Promise<Decision> {
    const asked = [...questions.items, ...alongside.items].map((question) => ({
      question,
      pairs: question.hypotheses.map((hypothesis) => this.pairs(premise, hypothesis)),
    }));
    const tokens = asked.flatMap(({ pairs }) => pairs.flat()).reduce((sum, { ids }) => sum + ids.length, 0);
    const ticket = this.scheduler.admit(options.priority, tokens, options.signal);
    const spent = { queue: 0, read: 0, ask: 0 };
    const scores = new Map<NliQuestion, Scores>();
    try {
      for (const { question, pairs } of asked) {
        const logits: number[] = [];
        for (const windows of pairs) {
          const found: (readonly [number, number])[] = [];
          for (const { ids, types } of windows) {
            const step = await ticket.step({ do: 'pair', model: this.model.id, ids, types }, ids.length);
            spent.queue += step.waited;
            spent.ask += step.ms;
            found.push(this.judge(step.values));
          }
          logits.push(Math.max(...found.map(([rank]) => rank)), Math.max(...found.map(([, truth]) => truth)));
        }
        const probabilities = this.bundle.calibration.probabilities(question.question.type, logits);
        scores.set(question, { logits, probabilities });
      }
    } finally {
      ticket.finish();
    }
    const answers = (set: NliQuestionSet) =>
      new Map(
        set.items.map((one) => [one.name, typeOf(one.question).answer(one.question, scores.get(one)!.probabilities)]),
      );
    return {
      answers: answers(questions),
      alongside: answers(alongside),
      scores: new Map(questions.items.map((one) => [one.name, scores.get(one)!])),
      usage: { inputTokens, imageTokens: 0 },
      timings: spent,
    };
  }

  /** How much speaks for a candidate against others, and for it against its being false. */
  private judge(values: Float32Array): readonly [number, number] {
    const { entailment, contradiction } = this.bundle.manifest.architecture;
    const against = values.filter((_, index) =>
      contradiction === undefined ? index !== entailment : index === contradiction,
    );
    return [values[entailment]!, values[entailment]! - Math.max(...against)];
  }

  private pairs(premise: readonly number[], hypothesis: readonly number[]): Pair[] {
    return pairsOf(this.bundle.manifest.architecture.layout, this.control, premise, hypothesis, this.maxTokens);
  }

  private premise(fixed: FixedPart): readonly number[] {
    const texts = fixed.state === undefined ? [] : renderState(fixed.state);
    const all: number[] = [];
    for (const text of fixed.instructions ? [fixed.instructions, ...texts] : texts) {
      const pieces = this.encode(text, REQUEST_TOKENS - all.length);
      if (pieces === undefined) throw new MaxTokensExceededError(REQUEST_TOKENS);
      for (const piece of pieces) all.push(piece);
    }
    return all;
  }

  private encode(text: string, atMost: number): number[] | undefined {
    return encodeAtMost(this.bundle.tokenizer, text, atMost);
  }

  private get maxTokens(): number {
    return this.bundle.manifest.architecture.maxTokens;
  }
}
