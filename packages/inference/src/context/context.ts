import { OverloadedError } from '../engine/errors.js';
import type { Command } from '../runtime/commands.js';
import type { RuntimeResult } from '../runtime/runtime.js';
import type { Ticket } from '../scheduler/ticket.js';
import type { Holder, MemoryBudget } from './memory.js';
import { AXIS_SLOTS, align, slotsOf } from './slots.js';

/** The tokens of one block, control tokens included. A block is itself: two equal ones are two. */
export interface Block {
  readonly tokens: Int32Array;
}

export interface Keeper {
  readonly memory: MemoryBudget;
  readonly model: string;
  readonly bytesPerSlot: number;
  readonly generation: () => number;
  /** For what needs no turn: giving memory back. */
  readonly free: (context: number) => void;
  readonly nextId: () => number;
}

/** Blocks of about this many tokens are read in one step. */
const STEP_TOKENS = 256;
/** A context that grows gets this much more than it needs, so that not every frame copies it. */
const GROWTH = 1.25;

export interface Spent {
  waited: number;
  ms: number;
}

/**
 * What the engine has read. `blocks` is what it should hold, in order; `settle` brings the runtime in line, reading only
 * what is missing. So evicting it, dropping frames or starting the runtime again changes when blocks are read, never an answer.
 */
export class Context implements Holder {
  private resident: Block[] = [];
  private id: number | undefined;
  private generation = 0;
  private slots = 0;
  private wanted = 0;
  private users = 0;
  private closed = false;
  private readonly keeper: Keeper;

  constructor(keeper: Keeper) {
    this.keeper = keeper;
  }

  get resting(): boolean {
    return this.users === 0;
  }

  get runtimeId(): number {
    if (this.id === undefined) throw new Error('the context has not been settled');
    return this.id;
  }

  get capacity(): number {
    return this.slots;
  }

  /** Tokens that `settle` would have to read. */
  missing(blocks: readonly Block[]): number {
    const kept = new Set(this.current() ? this.resident : []);
    return blocks.reduce((sum, block) => sum + (kept.has(block) ? 0 : block.tokens.length), 0);
  }

  /** Keeps the memory for these blocks, or says at once that there is none; until `rest` it cannot be evicted. */
  reserve(blocks: readonly Block[], retryAfterMs: number): void {
    const needed = align(slotsOf(blocks.map((block) => block.tokens.length)), AXIS_SLOTS);
    let slots = this.slots;
    if (needed > slots) slots = slots === 0 ? needed : align(Math.ceil(needed * GROWTH), AXIS_SLOTS);
    if (!this.keeper.memory.take(this, slots * this.keeper.bytesPerSlot)) {
      slots = Math.max(needed, this.slots);
      if (!this.keeper.memory.take(this, slots * this.keeper.bytesPerSlot)) {
        throw new OverloadedError('memory', retryAfterMs);
      }
    }
    this.users += 1;
    this.wanted = slots;
  }

  rest(): void {
    this.users -= 1;
    if (this.closed) this.close();
  }

  /** After this the runtime holds exactly `blocks`. Stopped half-way, it goes on from there the next time. */
  async settle(blocks: readonly Block[], ticket: Ticket, spent: Spent): Promise<void> {
    const step = async (command: Command, cost: number) => {
      const { waited, ms } = await this.step(ticket, command, cost);
      spent.waited += waited;
      spent.ms += ms;
    };
    if (this.id === undefined || !this.current()) {
      const id = this.keeper.nextId();
      this.resident = [];
      await step({ do: 'open', context: id, model: this.keeper.model, slots: this.wanted }, 0);
      this.id = id;
      this.generation = this.keeper.generation();
    } else if (this.wanted !== this.slots) {
      await step({ do: 'resize', context: this.id, slots: this.wanted }, 0);
    }
    this.slots = this.wanted;
    await this.forget(blocks, this.id, step);
    for (let from = this.resident.length; from < blocks.length; from = this.resident.length) {
      const { next, tokens } = nextStep(blocks, from);
      await step({ do: 'read', context: this.id, blocks: next.map((block) => block.tokens) }, tokens);
      this.resident.push(...next);
    }
  }

  /** A step on this context. When the runtime fails, nobody knows what it holds: it is read again the next time. */
  async step(ticket: Ticket, command: Command, cost: number): Promise<RuntimeResult & { waited: number }> {
    try {
      return await ticket.step(command, cost);
    } catch (error) {
      if (error !== ticket.signal?.reason) this.evict();
      throw error;
    }
  }

  evict(): void {
    if (this.id !== undefined && this.current()) this.keeper.free(this.id);
    this.id = undefined;
    this.resident = [];
    this.slots = 0;
  }

  /** At once, or when those who use it are done: their next step would find nothing. */
  close(): void {
    this.closed = true;
    if (!this.resting) return;
    this.evict();
    this.keeper.memory.release(this);
  }

  private async forget(
    blocks: readonly Block[],
    id: number,
    step: (command: Command, cost: number) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < this.resident.length; ) {
      if (this.resident[at] === blocks[at]) {
        at += 1;
        continue;
      }
      const again = this.resident.indexOf(blocks[at]!, at);
      const count = (again === -1 ? this.resident.length : again) - at;
      await step({ do: 'remove', context: id, first: at, count }, 0);
      this.resident.splice(at, count);
    }
  }

  private current(): boolean {
    return this.generation === this.keeper.generation();
  }
}

function nextStep(blocks: readonly Block[], from: number): { next: Block[]; tokens: number } {
  const next: Block[] = [];
  let tokens = 0;
  for (const block of blocks.slice(from, from + STEP_TOKENS)) {
    if (next.length > 0 && tokens + block.tokens.length > STEP_TOKENS) break;
    next.push(block);
    tokens += block.tokens.length;
  }
  return { next, tokens };
}
