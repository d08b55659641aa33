import type { BatchRecord } from '../batch.js';
import type { Claim, ClaimedLine } from '../store/claims.js';
import type { AnsweredLine } from '../store/recording.js';
import { Recorder } from './recorder.js';
import { Room } from './room.js';

/** What came of one request: an answer to be recorded, no answer this time, or a batch that cannot be run at all. */
export type Attempt =
  | { readonly kind: 'answered'; readonly answer: Omit<AnsweredLine, 'line'> }
  | { readonly kind: 'later' }
  | { readonly kind: 'impossible'; readonly reason: string };

export interface WorkerParts {
  claim(most: number): Promise<Claim | undefined>;
  release(lines: readonly ClaimedLine[]): Promise<void>;
  record(answers: readonly AnsweredLine[]): Promise<void>;
  fail(batchId: string, reason: string): Promise<void>;
  /** Answers one request as the live call would. */
  attempt(batch: BatchRecord, line: ClaimedLine, signal: AbortSignal): Promise<Attempt>;
  /** After lines were recorded or given back: perhaps a batch can be finished now. */
  moved(recorded: readonly AnsweredLine[]): void;
  fault(error: unknown): void;
}

/** Lines held at once: enough that the engine never waits for the database, few enough to be soon done when the process stops. */
const HELD = 32;
/** Requests being answered at once; the engine works on one after another, these keep it from waiting for anything else. */
const RUNNING = 8;
const RUNNING_BYTES = 64 * 1024 * 1024;
const IDLE_MS = 1_000;
const LATER_MS = 500;

/** Claims lines, has them answered in the engine's spare capacity, and has the answers recorded, until it is stopped. */
export class Worker {
  private readonly held = new Map<string, ClaimedLine>();
  private readonly running = new Set<Promise<void>>();
  private readonly room = new Room(RUNNING, RUNNING_BYTES);
  private readonly abandoned = new AbortController();
  private stopping = false;
  private readonly recorder: Recorder;
  private pumping: Promise<void> | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly parts: WorkerParts) {
    this.recorder = new Recorder({
      record: (answers) => parts.record(answers),
      recorded: (answers) => {
        for (const { line } of answers) this.held.delete(nameOf(line));
        this.nudge();
        parts.moved(answers);
      },
      failed: (error) => parts.fault(error),
    });
  }

  start(): void {
    this.pumping ??= this.pump();
  }

  /** There may be something to claim now. */
  nudge(): void {
    this.wake();
  }

  /** Takes no new line, gives those that run a while to finish, and gives the rest back. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    this.nudge();
    await this.pumping;
    const late = setTimeout(() => this.abandoned.abort(), graceMs);
    await Promise.all(this.running);
    clearTimeout(late);
    await this.recorder.flush();
    if (this.held.size > 0) await this.parts.release([...this.held.values()]);
    this.held.clear();
  }

  private async pump(): Promise<void> {
    while (!this.stopping) {
      const claim = this.held.size <= HELD / 2 ? await this.claim(HELD - this.held.size) : undefined;
      if (claim) for (const line of claim.lines) this.launch(claim.batch, line);
      else await this.idle();
    }
  }

  private async claim(most: number): Promise<Claim | undefined> {
    try {
      return await this.parts.claim(most);
    } catch (error) {
      this.parts.fault(error);
      return undefined;
    }
  }

  private idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.stopping) this.wake();
    });
  }

  private launch(batch: BatchRecord, line: ClaimedLine): void {
    this.held.set(nameOf(line), line);
    const run = this.run(batch, line).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  private async run(batch: BatchRecord, line: ClaimedLine): Promise<void> {
    await this.room.enter(line.bytes);
    try {
      if (this.stopping) return;
      const attempt = await this.parts.attempt(batch, line, this.abandoned.signal);
      if (attempt.kind === 'answered') this.recorder.add({ line, ...attempt.answer });
      else await this.giveUp(line, attempt);
    } catch (error) {
      this.parts.fault(error);
      await this.giveUp(line, { kind: 'later' });
    } finally {
      this.room.leave(line.bytes);
    }
  }

  /** A line that could not be answered keeps its place in the room for a moment: what was in its way may be in the way of all. */
  private async giveUp(line: ClaimedLine, attempt: Exclude<Attempt, { kind: 'answered' }>): Promise<void> {
    if (this.stopping) return;
    try {
      if (attempt.kind === 'impossible') await this.parts.fail(line.batchId, attempt.reason);
      else await new Promise((resolve) => setTimeout(resolve, LATER_MS));
      this.held.delete(nameOf(line));
      await this.parts.release([line]);
    } catch (error) {
      this.parts.fault(error);
    }
    this.parts.moved([]);
    this.nudge();
  }
}

const nameOf = (line: ClaimedLine): string => `${line.batchId}/${line.position}/${line.attempt}`;
