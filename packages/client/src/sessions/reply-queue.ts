/** Replies that came and were not asked for yet; then the end, as it was. */
export class ReplyQueue<Reply> implements AsyncIterator<Reply, undefined> {
  private readonly kept: Reply[] = [];
  private readonly asking: { resolve(result: IteratorResult<Reply, undefined>): void; reject(error: unknown): void }[] =
    [];
  private end: { readonly error: Error | undefined } | undefined;

  /** `onTaken` hears how many are left whenever one was taken. */
  constructor(private readonly onTaken: (left: number) => void) {}

  get length(): number {
    return this.kept.length;
  }

  push(reply: Reply): void {
    const asking = this.asking.shift();
    if (asking) asking.resolve({ value: reply, done: false });
    else this.kept.push(reply);
  }

  /** Nothing comes any more. What was kept is still given, then the error is thrown once. */
  finish(error?: Error): void {
    this.end = { error };
    for (const each of this.asking.splice(0)) this.settle(each);
  }

  next(): Promise<IteratorResult<Reply, undefined>> {
    const kept = this.kept.shift();
    if (kept !== undefined) {
      this.onTaken(this.kept.length);
      return Promise.resolve({ value: kept, done: false });
    }
    return new Promise((resolve, reject) => {
      if (this.end) this.settle({ resolve, reject });
      else this.asking.push({ resolve, reject });
    });
  }

  private settle(asking: (typeof this.asking)[number]): void {
    const error = this.end?.error;
    this.end = { error: undefined };
    if (error) asking.reject(error);
    else asking.resolve({ value: undefined, done: true });
  }
}
