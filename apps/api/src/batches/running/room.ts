/** How many requests of batches are being answered at once, and how many bytes of them are held. One alone always has room. */
export class Room {
  private lines = 0;
  private bytes = 0;
  private readonly queue: { bytes: number; enter: () => void }[] = [];

  constructor(
    private readonly mostLines: number,
    private readonly mostBytes: number,
  ) {}

  enter(bytes: number): Promise<void> {
    return new Promise((enter) => {
      this.queue.push({ bytes, enter });
      this.admit();
    });
  }

  leave(bytes: number): void {
    this.lines -= 1;
    this.bytes -= bytes;
    this.admit();
  }

  private admit(): void {
    for (let next = this.queue[0]; next; next = this.queue[0]) {
      const fits = this.lines < this.mostLines && this.bytes + next.bytes <= this.mostBytes;
      if (!fits && this.lines > 0) return;
      this.queue.shift();
      this.lines += 1;
      this.bytes += next.bytes;
      next.enter();
    }
  }
}
