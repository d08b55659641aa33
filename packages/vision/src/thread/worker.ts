import { parentPort, workerData } from 'node:worker_threads';
import { FaceReader, type FacesInPicture, isEligible } from '../faces/face-reader.ts';
import { FaceBundleUnusable } from '../networks/bundle.ts';
import type { RunSession } from '../networks/networks.ts';
import { PictureUnreadable } from '../picture/picture-error.ts';
import type { Opening, Order, PictureFaces, Report, Templates } from './messages.ts';

const port = parentPort!;
const { folder, threads } = workerData as Opening;
const report = (what: Report): void => port.postMessage(what);

let turns = 0;
const granted = new Map<number, () => void>();
const left = new Map<number, AbortController>();

/** Every run of a network waits until the other side gives it its turn. */
const inTurn: RunSession = async (session, feeds) => {
  const turn = ++turns;
  await new Promise<void>((go) => {
    granted.set(turn, go);
    report({ say: 'turn', turn });
  });
  try {
    return await session.run(feeds);
  } finally {
    report({ say: 'over', turn });
  }
};

async function withTemplates(found: FacesInPicture, templates: Templates, signal: AbortSignal): Promise<PictureFaces> {
  const largest = found.faces.find(isEligible);
  const faces: PictureFaces['faces'][number][] = [];
  for (const face of found.faces) {
    signal.throwIfAborted();
    const wanted = templates === 'all' || (templates === 'largest' && face === largest);
    faces.push(wanted ? { ...face, template: await found.template(face) } : face);
  }
  const { width, height } = found.picture.header;
  return { size: { width, height }, faces };
}

async function read(reader: FaceReader, { call, bytes, templates }: Order & { say: 'read' }, signal: AbortSignal) {
  try {
    const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const faces = await withTemplates(await reader.find(picture, signal), templates, signal);
    report({ say: 'faces', call, faces });
  } catch (error) {
    if (error instanceof PictureUnreadable)
      report({ say: 'unreadable', call, reason: error.reason, message: error.message });
    else report({ say: 'failed', call, message: error instanceof Error ? error.message : String(error) });
  }
}

async function serve(): Promise<void> {
  const reader = await FaceReader.load(folder, { threads, run: inTurn });
  let last: Promise<void> = Promise.resolve();
  port.on('message', (order: Order) => {
    if (order.say === 'go') {
      granted.get(order.turn)?.();
      granted.delete(order.turn);
    } else if (order.say === 'leave') left.get(order.call)?.abort();
    else {
      const leaving = new AbortController();
      left.set(order.call, leaving);
      // One picture after another: each may take a hundred megabytes.
      last = last.then(async () => {
        if (!leaving.signal.aborted) await read(reader, order, leaving.signal);
        left.delete(order.call);
      });
    }
  });
  report({ say: 'open', id: reader.id });
}

serve().catch((error: unknown) => {
  if (!(error instanceof FaceBundleUnusable)) throw error;
  report({ say: 'unusable', message: error.message });
});
