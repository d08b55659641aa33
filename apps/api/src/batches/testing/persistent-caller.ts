import type { Batch } from '@assay/contract';
import type { BatchCaller, Reply } from './caller.js';
import type { Fleet } from './fleet.js';

const PAUSE_MS = 50;
const TRY_AGAIN = new Set([408, 429, 500, 529]);

/** A careful client: it sends every call until it gets an answer, and finds out what a call did whose answer was lost. */
export class PersistentCaller {
  /** Batches whose counters did not add up when somebody looked. */
  readonly torn: Batch[] = [];
  lostAnswers = 0;
  private turn = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly key: string,
  ) {}

  /** Drafts that a lost create left behind are cancelled before the next try, as the document says. */
  async create(lines: string): Promise<string> {
    const before = new Set((await this.list()).map(({ id }) => id));
    for (;;) {
      const reply = await this.once((caller) => caller.create(lines));
      if (reply?.status === 201) return reply.body.id;
      if (reply) throw new Error(`create: ${reply.status} ${reply.text}`);
      for (const { id } of await this.list()) if (!before.has(id)) await this.cancel(id);
    }
  }

  async add(id: string, lines: string, expected: number): Promise<void> {
    for (;;) {
      const reply = await this.once((caller) => caller.add(id, lines));
      if (reply?.status === 200) return;
      if (reply && reply.status !== 400) throw new Error(`add: ${reply.status} ${reply.text}`);
      if ((await this.get(id)).counters.requests === expected) return;
    }
  }

  async finalize(id: string): Promise<Batch> {
    return (await this.until((caller) => caller.finalize(id))).body;
  }

  async cancel(id: string): Promise<Batch> {
    return (await this.until((caller) => caller.cancel(id))).body;
  }

  async get(id: string): Promise<Batch> {
    const { body } = await this.until((caller) => caller.get(id));
    const c = body.counters;
    const sum = c.queued + c.in_progress + c.completed + c.failed + c.expired + c.cancelled;
    if (sum !== (body.finalized_at || body.ended_at ? c.requests : 0)) this.torn.push(body);
    return body;
  }

  async list(): Promise<Batch[]> {
    return (await this.until((caller) => caller.call<{ batches: Batch[] }>('GET', '/v1/batches?limit=1000'))).body
      .batches;
  }

  async ended(id: string): Promise<Batch> {
    for (;;) {
      const batch = await this.get(id);
      if (batch.ended_at !== null) return batch;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async until<Body>(call: (caller: BatchCaller) => Promise<Reply<Body>>): Promise<Reply<Body>> {
    for (;;) {
      const reply = await this.once(call);
      if (reply && reply.status < 300) return reply;
      if (reply) throw new Error(`${reply.status} ${reply.text}`);
    }
  }

  /** Nothing when the answer was lost, or asks for another try. */
  private async once<Body>(call: (caller: BatchCaller) => Promise<Reply<Body>>): Promise<Reply<Body> | undefined> {
    this.turn += 1;
    const caller = this.fleet.caller(this.key, this.turn);
    const reply = caller && (await call(caller).catch(() => undefined));
    if (reply && !TRY_AGAIN.has(reply.status)) return reply;
    if (caller) this.lostAnswers += 1;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return undefined;
  }
}
