import { LatestWins } from './latest-wins.js';

interface Frame {
  seq: number;
}

/** Work that ends when the test says so. */
function byHand() {
  const begun: { seq: number; passedOver: readonly number[]; end: (told?: boolean) => Promise<void> }[] = [];
  const frames = new LatestWins<Frame>(
    ({ seq }, passedOver) =>
      new Promise((resolve) => {
        const end = async (told = true) => {
          resolve(told);
          await new Promise(setImmediate);
        };
        begun.push({ seq, passedOver, end });
      }),
  );
  const offer = (...seqs: number[]) => {
    for (const seq of seqs) frames.offer({ seq });
  };
  return { frames, begun, offer };
}

test('who waits for replies has every frame answered', async () => {
  const { begun, offer } = byHand();
  for (const seq of [1, 2, 3]) {
    offer(seq);
    await begun.at(-1)?.end();
  }
  expect(begun.map(({ seq, passedOver }) => [seq, passedOver])).toEqual([
    [1, []],
    [2, []],
    [3, []],
  ]);
});

test('the newest is answered, and the passed over are told once, with the frame that took their place', async () => {
  const { frames, begun, offer } = byHand();
  offer(1, 2, 3, 4);
  expect(frames.untold).toBe(2);
  await begun[0]?.end();
  offer(5, 6, 6);
  await begun[1]?.end();
  await begun[2]?.end();
  expect(begun.map(({ seq, passedOver }) => [seq, passedOver])).toEqual([
    [1, []],
    [4, [2, 3]],
    [6, [5, 6]],
  ]);
  expect(frames.untold).toBe(0);
});

test('what a reply could not tell, the next one tells', async () => {
  const { begun, offer } = byHand();
  offer(1, 2, 3);
  await begun[0]?.end();
  offer(4, 5);
  await begun[1]?.end(false);
  await begun[2]?.end();
  expect(begun[2]).toMatchObject({ seq: 5, passedOver: [2, 4] });
});

test('stopping waits for the frame in work, and begins no other', async () => {
  const { frames, begun, offer } = byHand();
  offer(1, 2);
  let stopped = false;
  const stopping = frames.stop().then(() => {
    stopped = true;
  });
  offer(3);
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  await begun[0]?.end();
  await stopping;
  expect(begun).toHaveLength(1);
});
