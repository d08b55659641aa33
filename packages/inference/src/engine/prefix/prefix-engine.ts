import type { PrefixBundle } from '../../bundle/load.js';
import { Context } from '../../context/context.js';
import type { Named } from '../../questions/named.js';
import type { Question } from '../../questions/question.js';
import type { JsonValue } from '../../text/json.js';
import { renderState } from '../../text/render.js';
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
} from '../engine.js';
import { FrameTooLongError, MaxTokensExceededError } from '../errors.js';
import { checkRequest, FRAME_TOKENS, REQUEST_TOKENS } from '../limits.js';
import { KeptState } from './kept-state.js';
import { PrefixFrame, PrefixRequest, QuestionSet } from './prepared.js';
import { askable } from './questions.js';
import { blocksOf, type ReadableTexts } from './state.js';
import { answersOf, ask, type Workshop } from './work.js';

/** The state is read once in blocks; every statement attends to what was kept of them. */
export class PrefixEngine implements Engine {
  readonly model: ModelInfo;
  private readonly bundle: PrefixBundle;
  private readonly workshop: Workshop;

  constructor(bundle: PrefixBundle, workshop: Workshop) {
    const { manifest, calibration } = bundle;
    this.bundle = bundle;
    this.workshop = workshop;
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
    const state = this.read([...instructionsOf(input), ...renderState(input.state ?? '')]);
    checkRequest(state.slots + questions.inputTokens);
    return new PrefixRequest(this.model.id, state, questions, alongside);
  }

  async answer(prepared: Prepared, options: AskOptions): Promise<Decision> {
    if (!(prepared instanceof PrefixRequest) || prepared.model !== this.model.id) {
      throw new TypeError(`prepared for another model than ${this.model.id}`);
    }
    const { state, questions, alongside } = prepared;
    const context = new Context(this.workshop.keeper);
    try {
      const asked = [...questions.items, ...alongside.items];
      const work = await ask(this.workshop, context, state.blocks, asked, options);
      return {
        answers: answersOf(questions.items, work),
        alongside: answersOf(alongside.items, work),
        scores: new Map(questions.items.map((one) => [one.name, work.scores.get(one)!])),
        usage: { inputTokens: prepared.inputTokens, imageTokens: 0 },
        timings: work.timings,
      };
    } finally {
      context.close();
    }
  }

  async embed(text: string, { priority, signal }: AskOptions): Promise<Float32Array> {
    const { blocks } = this.read([text]);
    const tokens = blocks.map((block) => block.tokens);
    const cost = tokens.reduce((sum, block) => sum + block.length, 0);
    const ticket = this.workshop.scheduler.admit(priority, cost, signal);
    try {
      const { values } = await ticket.step({ do: 'pool', model: this.model.id, blocks: tokens }, cost);
      return values;
    } finally {
      ticket.finish();
    }
  }

  prepareQuestions(questions: Named<Question>): QuestionSet {
    return new QuestionSet(askable(this.bundle.tokenizer, questions, this.blockPieces));
  }

  prepareFrame(frame: JsonValue): PreparedFrame {
    const texts = blocksOf(this.bundle.tokenizer, renderState([frame]), this.blockPieces, FRAME_TOKENS);
    if (texts === undefined) throw new FrameTooLongError(FRAME_TOKENS);
    return new PrefixFrame(this.model.id, texts);
  }

  createContext(fixed: FixedPart): OpenContext {
    const texts = [...instructionsOf(fixed), ...(fixed.state === undefined ? [] : renderState(fixed.state))];
    return new KeptState(this.model.id, this.workshop, this.read(texts), () => this.read(['']));
  }

  private read(texts: readonly string[]): ReadableTexts {
    const read = blocksOf(this.bundle.tokenizer, texts, this.blockPieces, REQUEST_TOKENS);
    if (read === undefined) throw new MaxTokensExceededError(REQUEST_TOKENS);
    return read;
  }

  private get blockPieces(): number {
    return this.bundle.manifest.architecture.blockPieces;
  }
}

function instructionsOf(fixed: FixedPart): string[] {
  return fixed.instructions ? [fixed.instructions] : [];
}
