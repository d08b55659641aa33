interface Waiting {
  readonly pixels: number;
  readonly admit: () => void;
}

/** Bounds the pixels that are being decoded at one time; who comes first is served first. */
export class PixelBudget {
  #free: number;
  readonly #total: number;
  readonly #queue: Waiting[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  async hold(pixels: number): Promise<Disposable> {
    const asked = Math.min(pixels, this.#total);
    await new Promise<void>((admit) => {
      this.#queue.push({ pixels: asked, admit });
      this.#serve();
    });
    return {
      [Symbol.dispose]: () => {
        this.#free += asked;
        this.#serve();
      },
    };
  }

  #serve(): void {
    for (let next = this.#queue[0]; next && next.pixels <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.pixels;
      next.admit();
    }
  }
}
