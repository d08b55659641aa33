import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { FaceReader } from '../faces/face-reader.ts';
import { FaceBundleUnusable } from '../networks/bundle.ts';
import { png } from '../testing/hostile.ts';
import { FacesBusy, FaceThread, MOST_WAITING, MOST_WAITING_BYTES, type Turn } from './face-thread.ts';

jest.setTimeout(120_000);

const BUNDLE = join(import.meta.dirname, '../../../models/assay-faces-1.0');
const collins = readFileSync(join(import.meta.dirname, '../../fixtures/eileen-collins.jpg'));

let thread: FaceThread;
beforeAll(async () => {
  thread = await FaceThread.open(BUNDLE, { threads: 1 });
});
afterAll(() => thread.close());

test('reads what a reader on this thread reads', async () => {
  const reader = await FaceReader.load(BUNDLE, { threads: 1 });
  const here = await reader.faces(collins);
  await reader.close();
  expect(thread.id).toBe('assay-faces-1.0');
  const there = await thread.read(collins, { templates: 'all' });
  expect(there.size).toEqual({ width: 480, height: 480 });
  expect(there.faces).toEqual(here);
});

test('makes the templates that were asked for', async () => {
  const [none] = (await thread.read(collins, { templates: 'none' })).faces;
  const [largest] = (await thread.read(collins, { templates: 'largest' })).faces;
  expect(none).not.toHaveProperty('template');
  expect(largest?.template).toHaveLength(128);
});

test('tells why a picture cannot be read', async () => {
  const huge = png({ width: 50_000, height: 50_000 });
  await expect(thread.read(huge, { templates: 'none' })).rejects.toMatchObject({
    name: 'PictureUnreadable',
    reason: 'too_many_pixels',
  });
});

test('a caller that leaves gets its reason at once, and the others their faces', async () => {
  const caller = new AbortController();
  const leaving = thread.read(collins, { templates: 'all', signal: caller.signal });
  const staying = thread.read(collins, { templates: 'none' });
  caller.abort(new Error('hung up'));
  await expect(leaving).rejects.toThrow('hung up');
  expect((await staying).faces).toHaveLength(1);
});

test('refuses the picture that is one too many', async () => {
  const waiting = Array.from({ length: MOST_WAITING }, () => {
    const caller = new AbortController();
    return { caller, read: thread.read(collins, { templates: 'none', signal: caller.signal }) };
  });
  await expect(thread.read(collins, { templates: 'none' })).rejects.toThrow(FacesBusy);
  for (const { caller } of waiting) caller.abort(new Error('hung up'));
  for (const { read } of waiting) await expect(read).rejects.toThrow('hung up');
  expect((await thread.read(collins, { templates: 'none' })).faces).toHaveLength(1);
});

test('refuses the picture that is too many bytes', async () => {
  const large = Buffer.alloc(26_000_000);
  const reading = () => thread.read(large, { templates: 'none' });
  const waiting = Array.from({ length: Math.floor(MOST_WAITING_BYTES / large.length) }, reading);
  const outcomes = Promise.allSettled(waiting);
  await expect(reading()).rejects.toThrow(FacesBusy);
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { reason: 'not_a_picture' } });
});

test('computes only in its turn', async () => {
  let running = 0;
  let turns = 0;
  const turn: Turn = async (work) => {
    turns++;
    running++;
    await work();
    running--;
  };
  const scheduled = await FaceThread.open(BUNDLE, { threads: 1, turn });
  await scheduled.read(collins, { templates: 'largest' });
  await scheduled.close();
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(running).toBe(0);
});

test('a scheduler that gives up loses the call, and the next one gets a new thread', async () => {
  let open = false;
  const turn: Turn = (work) => (open ? work() : Promise.reject(new Error('stopped')));
  const scheduled = await FaceThread.open(BUNDLE, { threads: 1, turn });
  await expect(scheduled.read(collins, { templates: 'none' })).rejects.toThrow(FacesBusy);
  open = true;
  expect((await scheduled.read(collins, { templates: 'none' })).faces).toHaveLength(1);
  await scheduled.close();
});

test('says when the bundle cannot be used', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'assay-no-faces-'));
  await expect(FaceThread.open(empty, { threads: 1 })).rejects.toThrow(FaceBundleUnusable);
});
