/** Something that holds memory and can give it up while it rests, because it can be made again. */
export interface Holder {
  readonly resting: boolean;
  evict(): void;
}

/** The bytes of all contexts together. Over it, those that rest give theirs up, the longest unused first. */
export class MemoryBudget {
  readonly limit: number;
  private readonly held = new Map<Holder, number>();
  private used = 0;
  private highest = 0;
  private readonly onEvict: ((bytes: number) => void) | undefined;

  constructor(limit: number, onEvict?: (bytes: number) => void) {
    this.limit = limit;
    this.onEvict = onEvict;
  }

  get bytes(): number {
    return this.used;
  }

  get peak(): number {
    return this.highest;
  }

  /** Whether `holder` may now hold `bytes` in all; false changes nothing. */
  take(holder: Holder, bytes: number): boolean {
    const before = this.held.get(holder) ?? 0;
    const resting = Array.from(this.held).filter(([other]) => other !== holder && other.resting);
    const evictable = resting.reduce((sum, [, size]) => sum + size, 0);
    if (this.used - before - evictable + bytes > this.limit) return false;
    for (const [other, size] of resting) {
      if (this.used - before + bytes <= this.limit) break;
      other.evict();
      this.release(other);
      this.onEvict?.(size);
    }
    this.held.delete(holder);
    this.held.set(holder, bytes);
    this.used += bytes - before;
    this.highest = Math.max(this.highest, this.used);
    return true;
  }

  release(holder: Holder): void {
    this.used -= this.held.get(holder) ?? 0;
    this.held.delete(holder);
  }
}
