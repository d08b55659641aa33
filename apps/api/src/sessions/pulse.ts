/** Does something again and again, never twice at once. */
export class Pulse {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<void> | void,
    private readonly fault: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.running ??= this.beat();
    }, this.everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async beat(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.fault(error);
    } finally {
      this.running = undefined;
    }
  }
}
