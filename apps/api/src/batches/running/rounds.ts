/** Work done again and again, never twice at once; a nudge lets the next round begin at once. */
export class Rounds {
  private stopped = false;
  private nudged = false;
  private wake: () => void = () => undefined;
  private going: Promise<void> | undefined;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
    private readonly fault: (error: unknown) => void,
  ) {}

  start(): void {
    this.going ??= this.go();
  }

  nudge(): void {
    this.nudged = true;
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.going;
  }

  private async go(): Promise<void> {
    while (!this.stopped) {
      this.nudged = false;
      await this.work().catch(this.fault);
      if (!this.nudged && !this.stopped) await this.pause();
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.pauseMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
