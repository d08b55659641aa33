import type { AnsweredLine } from '../store/recording.js';

/** Answers wait this long for others to be recorded with. */
const GATHER_MS = 50;
const GROUP = 32;
const RETRY_MS = 500;

export interface RecorderParts {
  record(answers: readonly AnsweredLine[]): Promise<void>;
  /** After every group that was recorded. */
  recorded(answers: readonly AnsweredLine[]): void;
  failed(error: unknown): void;
}

/** Records answers in groups, one group at a time. What cannot be recorded now is tried again: it is lost only to another worker. */
export class Recorder {
  private waiting: AnsweredLine[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly parts: RecorderParts) {}

  add(answer: AnsweredLine): void {
    this.waiting.push(answer);
    if (this.waiting.length >= GROUP) this.write();
    else this.timer ??= setTimeout(() => this.write(), GATHER_MS);
  }

  /** Everything added so far is recorded, or was tried once more. */
  async flush(): Promise<void> {
    await this.writing;
    if (this.waiting.length > 0) await this.writeGroup();
  }

  private write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.writeGroup().finally(() => {
      this.writing = undefined;
      if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.write(), GATHER_MS);
    });
  }

  private async writeGroup(): Promise<void> {
    const group = this.waiting.splice(0, GROUP);
    try {
      await this.parts.record(group);
      this.parts.recorded(group);
    } catch (error) {
      this.parts.failed(error);
      this.waiting.unshift(...group);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
