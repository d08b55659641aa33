/** Answers one frame. False when its reply could not tell which frames were passed over before it. */
export type Work<Frame> = (frame: Frame, passedOver: readonly number[]) => Promise<boolean>;

/**
 * One frame in work and at most one waiting: a newer frame takes the place of the one that waits, and the reply to the frame that is
 * answered in the end tells which were passed over, each once. Whoever waits for replies has every frame answered.
 */
export class LatestWins<Frame extends { readonly seq: number }> {
  private waiting: Frame | undefined;
  private passedOver: number[] = [];
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly work: Work<Frame>) {}

  /** Numbers that no reply has told yet. */
  get untold(): number {
    return this.passedOver.length;
  }

  offer(frame: Frame): void {
    if (this.stopped) return;
    if (this.waiting) this.passedOver.push(this.waiting.seq);
    this.waiting = frame;
    this.running ??= this.run();
  }

  /** Takes no more frames; resolves when the one in work is through. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting = undefined;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let frame = this.take(); frame; frame = this.take()) {
      const told = this.passedOver;
      this.passedOver = [];
      if (!(await this.work(frame, told))) this.passedOver = [...told, ...this.passedOver];
    }
    this.running = undefined;
  }

  private take(): Frame | undefined {
    const frame = this.waiting;
    this.waiting = undefined;
    return frame;
  }
}
