import { OverloadedError } from '../engine/errors.js';
import type { Command } from '../runtime/commands.js';
import type { RuntimeResult } from '../runtime/runtime.js';
import type { SchedulerEvent } from './events.js';
import { Scheduler } from './scheduler.js';
import type { Priority, Ticket } from './ticket.js';

/** A runtime whose steps end when the test says so. */
class SteppedRuntime {
  readonly started: number[] = [];
  private readonly ends: (() => void)[] = [];

  run(command: Command): Promise<RuntimeResult> {
    this.started.push('context' in command ? command.context : -1);
    return new Promise((resolve) => this.ends.push(() => resolve({ values: new Float32Array(0), ms: 1 })));
  }

  async finishAll(): Promise<void> {
    for (let idle = 0; idle < 3; idle += 1) {
      for (let end = this.ends.shift(); end !== undefined; end = this.ends.shift()) {
        idle = 0;
        end();
        await turn();
      }
      await turn();
    }
  }
}

const turn = async () => {
  for (let index = 0; index < 3; index += 1) await new Promise(setImmediate);
};
const free = (context: number): Command => ({ do: 'free', context });

describe('Scheduler', () => {
  let runtime: SteppedRuntime;
  let events: SchedulerEvent[];
  let scheduler: Scheduler;

  beforeEach(() => {
    runtime = new SteppedRuntime();
    events = [];
    scheduler = new Scheduler(runtime, {
      admittedTokens: { live: 1000, stream: 500, batch: 100 },
      onEvent: (event) => events.push(event),
    });
  });

  async function work(priority: Priority, id: number, steps: number, cost = 10): Promise<void> {
    const ticket = scheduler.admit(priority, steps * cost);
    for (let step = 0; step < steps; step += 1) await ticket.step(free(id), cost);
    ticket.finish();
  }

  it('serves live before stream before batch, from the next step on', async () => {
    const all = [work('batch', 3, 3), work('stream', 2, 2), work('live', 1, 2)];
    await runtime.finishAll();
    await Promise.all(all);
    expect(runtime.started).toEqual([3, 1, 1, 2, 2, 3, 3]);
  });

  it('lets a short one of the same class pass a long one', async () => {
    const long = work('live', 1, 6);
    await turn();
    const short = work('live', 2, 2);
    await runtime.finishAll();
    await Promise.all([long, short]);
    expect(runtime.started.lastIndexOf(2)).toBeLessThan(5);
    expect(runtime.started.filter((id) => id === 1)).toHaveLength(6);
  });

  it('refuses at once what would make the queue too long, and takes it later', async () => {
    const first = scheduler.admit('batch', 90);
    expect(() => scheduler.admit('batch', 20)).toThrow(OverloadedError);
    expect(() => scheduler.admit('batch', 20)).toThrow(expect.objectContaining({ reason: 'queue' }));
    expect(events.filter((event) => event.kind === 'refused')).toHaveLength(2);
    scheduler.admit('live', 900).finish();
    first.finish();
    scheduler.admit('batch', 20).finish();
  });

  it('takes work of any size when nothing waits', () => {
    expect(() => scheduler.admit('batch', 100_000)).not.toThrow();
  });

  it('drops what waits when its caller leaves, and computes nothing more of it', async () => {
    const leaving = new AbortController();
    const busy = work('live', 1, 1);
    const ticket: Ticket = scheduler.admit('live', 20, leaving.signal);
    const waiting = expect(ticket.step(free(2), 10)).rejects.toThrow('gone');
    await turn();
    leaving.abort(new Error('gone'));
    await waiting;
    await runtime.finishAll();
    await busy;
    await expect(ticket.step(free(2), 10)).rejects.toThrow('gone');
    ticket.finish();
    expect(runtime.started).toEqual([1]);
    expect(scheduler.unfinished('live')).toBe(0);
    expect(() => scheduler.admit('live', 1, leaving.signal)).toThrow('gone');
  });

  it('goes on after a step that failed', async () => {
    const failing = new Scheduler(
      {
        run: (command) =>
          'context' in command && command.context === 1 ? Promise.reject(new Error('broken')) : runtime.run(command),
      },
      { admittedTokens: { live: 100, stream: 100, batch: 100 } },
    );
    await expect(failing.admit('live', 1).step(free(1), 1)).rejects.toThrow('broken');
    const next = failing.admit('live', 1).step(free(2), 1);
    await runtime.finishAll();
    await next;
  });

  it('tells each decision', async () => {
    const done = work('stream', 1, 1);
    await runtime.finishAll();
    await done;
    expect(events.map((event) => event.kind)).toEqual(['admitted', 'step', 'finished']);
  });
});
