import type { BatchRecord } from '../batch.js';
import type { Claim, ClaimedLine } from '../store/claims.js';
import type { AnsweredLine } from '../store/recording.js';
import { type Attempt, Worker, type WorkerParts } from './worker.js';

const BATCH = { id: 'batch_a' } as BatchRecord;
const lineAt = (position: number, bytes = 10): ClaimedLine => ({
  batchId: BATCH.id,
  position,
  attempt: 1,
  blob: 'b',
  start: 0,
  bytes,
});
const answered: Attempt = { kind: 'answered', answer: { result: '"status":200' } };
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 1_000; tries += 1) await soon();
  expect(holds()).toBe(true);
}

/** Hands out lines from a list and keeps what is recorded, released and failed. */
class Desk {
  readonly recorded: number[] = [];
  readonly released: number[] = [];
  readonly failed: string[] = [];
  readonly faults: unknown[] = [];
  running = 0;
  most = 0;
  readonly worker: Worker;

  constructor(
    readonly open: ClaimedLine[],
    attempt: (line: ClaimedLine, signal: AbortSignal) => Promise<Attempt>,
    changes: Partial<WorkerParts> = {},
  ) {
    this.worker = new Worker({
      claim: async (most): Promise<Claim | undefined> =>
        this.open.length > 0 ? { batch: BATCH, lines: this.open.splice(0, most) } : undefined,
      release: async (lines) => {
        this.released.push(...lines.map((line) => line.position));
      },
      record: async (answers: readonly AnsweredLine[]) => {
        this.recorded.push(...answers.map(({ line }) => line.position));
      },
      fail: async (_, reason) => {
        this.failed.push(reason);
      },
      attempt: async (_, line, signal) => {
        this.running += 1;
        this.most = Math.max(this.most, this.running);
        return attempt(line, signal).finally(() => {
          this.running -= 1;
        });
      },
      moved: () => undefined,
      fault: (error) => this.faults.push(error),
      ...changes,
    });
    this.worker.start();
  }
}

const positions = (count: number) => Array.from({ length: count }, (_, at) => at);

test('answers every line, a few at a time', async () => {
  const desk = new Desk(
    positions(200).map((at) => lineAt(at)),
    async () => {
      await soon();
      return answered;
    },
  );
  await until(() => desk.recorded.length === 200);
  await desk.worker.stop(1_000);
  expect(desk.recorded.toSorted((a, b) => a - b)).toEqual(positions(200));
  expect(desk.released).toEqual([]);
  expect(desk.most).toBeLessThanOrEqual(8);
});

test('holds few large requests at once, and one alone however large', async () => {
  const desk = new Desk(
    positions(6).map((at) => lineAt(at, 80 * 1024 * 1024)),
    async () => {
      await soon();
      return answered;
    },
  );
  await until(() => desk.recorded.length === 6);
  await desk.worker.stop(1_000);
  expect(desk.most).toBe(1);
});

test('what cannot be recorded now is recorded later', async () => {
  let tries = 0;
  const recorded: number[] = [];
  const desk = new Desk(
    positions(3).map((at) => lineAt(at)),
    async () => answered,
    {
      record: async (answers) => {
        tries += 1;
        if (tries === 1) throw new Error('the database is away');
        recorded.push(...answers.map(({ line }) => line.position));
      },
    },
  );
  await until(() => recorded.length === 3);
  await desk.worker.stop(1_000);
  expect(desk.faults).toHaveLength(1);
});

test('a line that cannot be answered now is given back, a batch that cannot be run is failed', async () => {
  const desk = new Desk([lineAt(0), lineAt(1)], async ({ position }) =>
    position === 0 ? { kind: 'later' } : { kind: 'impossible', reason: 'gone' },
  );
  await until(() => desk.released.length === 2);
  await desk.worker.stop(1_000);
  expect(desk.failed).toEqual(['gone']);
  expect(desk.recorded).toEqual([]);
});

test('stop lets what runs finish, and gives the rest back', async () => {
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const desk = new Desk(
    positions(20).map((at) => lineAt(at)),
    async () => {
      await gate;
      return answered;
    },
  );
  await until(() => desk.running === 8);
  const stopped = desk.worker.stop(10_000);
  finish();
  await stopped;
  expect(desk.recorded).toHaveLength(8);
  expect([...desk.recorded, ...desk.released].toSorted((a, b) => a - b)).toEqual(positions(20));
});

test('stop gives back what does not finish in time', async () => {
  const desk = new Desk(
    [lineAt(0)],
    (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'later' }))),
  );
  await until(() => desk.running === 1);
  await desk.worker.stop(20);
  expect(desk.released).toEqual([0]);
});
