import type { Calibration } from '../../calibration/calibration.js';
import { type Block, Context, type Keeper } from '../../context/context.js';
import { AXIS_SLOTS, align, slotsOf } from '../../context/slots.js';
import { typeOf } from '../../questions/types.js';
import type { Scheduler } from '../../scheduler/scheduler.js';
import type { Ticket } from '../../scheduler/ticket.js';
import type { AskOptions, Scores, Timings } from '../engine.js';
import { OverloadedError } from '../errors.js';
import type { AskableQuestion } from './questions.js';
import { type Asked, askSteps, keepsScratch, STATEMENT_TOKENS, scratchBytes } from './steps.js';

export interface Workshop {
  readonly scheduler: Scheduler;
  readonly keeper: Keeper;
  readonly heads: number;
  readonly numbersPerSlot: number;
  readonly calibration: Calibration;
  /** What one step may take beside the contexts. */
  readonly scratchLimit: number;
}

export interface Work {
  readonly scores: ReadonlyMap<AskableQuestion, Scores>;
  readonly timings: Timings;
}

/** Asks questions about blocks: admission, memory, reading what is missing, asking, and everything given back. */
export async function ask(
  workshop: Workshop,
  context: Context,
  blocks: readonly Block[],
  questions: readonly AskableQuestion[],
  options: AskOptions,
): Promise<Work> {
  const { scheduler } = workshop;
  const longest = longestContext(blocks, questions);
  checkScratch(workshop, longest, questions);
  const ticket = scheduler.admit(options.priority, context.missing(blocks) + askCost(questions), options.signal);
  try {
    context.reserve(longest, scheduler.retryAfter(0));
    try {
      return await new Asking(workshop, context, ticket).run(blocks, questions);
    } finally {
      context.rest();
    }
  } finally {
    ticket.finish();
  }
}

class Asking {
  private readonly reading = { waited: 0, ms: 0 };
  private readonly asking = { waited: 0, ms: 0 };
  private readonly scores = new Map<AskableQuestion, Scores>();
  private readonly workshop: Workshop;
  private readonly context: Context;
  private readonly ticket: Ticket;

  constructor(workshop: Workshop, context: Context, ticket: Ticket) {
    this.workshop = workshop;
    this.context = context;
    this.ticket = ticket;
  }

  async run(blocks: readonly Block[], questions: readonly AskableQuestion[]): Promise<Work> {
    const together = questions.filter((question) => question.overflow.length === 0);
    if (together.length > 0) await this.askAbout(blocks, together);
    for (const question of questions) {
      if (question.overflow.length > 0) await this.askAbout([...blocks, ...question.overflow], [question]);
    }
    const queue = this.reading.waited + this.asking.waited;
    return { scores: this.scores, timings: { queue, read: this.reading.ms, ask: this.asking.ms } };
  }

  private async askAbout(blocks: readonly Block[], questions: readonly AskableQuestion[]): Promise<void> {
    await this.context.settle(blocks, this.ticket, this.reading);
    const { calibration } = this.workshop;
    const kept = { ...this.workshop, slots: this.context.capacity };
    const logits = questions.map((question) => new Array<number>(2 * question.statements.length).fill(0));
    for (const step of askSteps(statementsOf(questions), kept)) {
      const { waited, ms, values } = await this.context.step(
        this.ticket,
        {
          do: 'ask',
          context: this.context.runtimeId,
          statements: step.asked.map((one) => one.tokens),
          length: step.length,
          keepScratch: keepsScratch(step, kept),
        },
        step.asked.length * step.length,
      );
      this.asking.waited += waited;
      this.asking.ms += ms;
      step.asked.forEach(({ question, candidate }, row) => {
        logits[question]![2 * candidate] = values[2 * row]!;
        logits[question]![2 * candidate + 1] = values[2 * row + 1]!;
      });
    }
    questions.forEach((question, index) => {
      const probabilities = calibration.probabilities(question.question.type, logits[index]!);
      this.scores.set(question, { logits: logits[index]!, probabilities });
    });
  }
}

/** Answers in the order of the questions. */
export function answersOf(questions: readonly AskableQuestion[], work: Work) {
  return new Map(
    questions.map((one) => [one.name, typeOf(one.question).answer(one.question, work.scores.get(one)!.probabilities)]),
  );
}

function statementsOf(questions: readonly AskableQuestion[]): Asked[] {
  return questions.flatMap(({ statements }, question) =>
    statements.map((tokens, candidate) => ({ question, candidate, tokens })),
  );
}

/** The blocks together with the longest overflow that will lie after them. */
function longestContext(blocks: readonly Block[], questions: readonly AskableQuestion[]): readonly Block[] {
  const slots = (overflow: readonly Block[]) => slotsOf(overflow.map((block) => block.tokens.length));
  const overflow = questions.reduce<readonly Block[]>(
    (longest, one) => (slots(one.overflow) > slots(longest) ? one.overflow : longest),
    [],
  );
  return [...blocks, ...overflow];
}

function askCost(questions: readonly AskableQuestion[]): number {
  return questions.reduce(
    (sum, { statements, overflow }) =>
      sum +
      statements.reduce((tokens, statement) => tokens + align(statement.length, STATEMENT_TOKENS), 0) +
      overflow.reduce((tokens, block) => tokens + block.tokens.length, 0),
    0,
  );
}

/** A long statement over a very long state needs room of its own, more than a small machine has. */
function checkScratch(workshop: Workshop, blocks: readonly Block[], questions: readonly AskableQuestion[]): void {
  const slots = align(slotsOf(blocks.map((block) => block.tokens.length)), AXIS_SLOTS);
  const longest = questions.reduce(
    (length, { statements }) => statements.reduce((most, tokens) => Math.max(most, tokens.length), length),
    0,
  );
  const bytes = scratchBytes(2, align(longest, STATEMENT_TOKENS), { ...workshop, slots });
  if (bytes > workshop.scratchLimit) throw new OverloadedError('memory', workshop.scheduler.retryAfter(0));
}
