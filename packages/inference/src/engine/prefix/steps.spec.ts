import { type Asked, askSteps, keepsScratch, scratchBytes } from './steps.js';

const statement = (candidate: number, length: number): Asked => ({
  question: 0,
  candidate,
  tokens: new Int32Array(length),
});
const kept = (slots: number) => ({ slots, heads: 12, numbersPerSlot: 2 * 6 * 12 * 32 });

describe('askSteps', () => {
  it('pads a statement to a length of its own, whatever is asked beside it', () => {
    const asked = [statement(0, 5), statement(1, 8), statement(2, 9), statement(3, 300)];
    const lengths = (some: readonly Asked[]) =>
      new Map(askSteps(some, kept(64)).flatMap((step) => step.asked.map((one) => [one.candidate, step.length])));
    expect([...lengths(asked)]).toEqual([
      [0, 8],
      [1, 8],
      [2, 16],
      [3, 304],
    ]);
    for (const one of asked) expect(lengths([one]).get(one.candidate)).toBe(lengths(asked).get(one.candidate));
  });

  it('asks every statement once, in steps that stay short', () => {
    const asked = Array.from({ length: 255 }, (_, index) => statement(index, 8 + (index % 40)));
    const steps = askSteps(asked, kept(2048));
    expect(steps.flatMap((step) => step.asked.map((one) => one.candidate)).sort((a, b) => a - b)).toEqual(
      asked.map((one) => one.candidate),
    );
    for (const step of steps) expect(step.asked.length * step.length).toBeLessThanOrEqual(1024);
  });

  it('takes fewer at a time over a long state, and gives the memory of the longest back', () => {
    const asked = Array.from({ length: 64 }, (_, index) => statement(index, 16));
    const long = kept(65_536);
    for (const step of askSteps(asked, long)) expect(scratchBytes(step.asked.length, 16, long)).toBeLessThan(2 ** 31);
    expect(askSteps(asked, long).every((step) => keepsScratch(step, long))).toBe(false);
    expect(askSteps(asked, kept(2048)).every((step) => keepsScratch(step, kept(2048)))).toBe(true);
  });
});
