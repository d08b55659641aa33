import { type Holder, MemoryBudget } from './memory.js';

class TestHolder implements Holder {
  resting = true;
  evictions = 0;

  evict(): void {
    this.evictions += 1;
  }
}

describe('MemoryBudget', () => {
  it('evicts who rests, the longest unused first, and no more than needed', () => {
    const evicted: number[] = [];
    const budget = new MemoryBudget(100, (bytes) => evicted.push(bytes));
    const [first, second, third] = [new TestHolder(), new TestHolder(), new TestHolder()];
    expect([budget.take(first, 40), budget.take(second, 40)]).toEqual([true, true]);
    budget.take(first, 40);
    expect(budget.take(third, 50)).toBe(true);
    expect([first.evictions, second.evictions]).toEqual([0, 1]);
    expect(evicted).toEqual([40]);
    expect(budget.bytes).toBe(90);
  });

  it('says no when those at work hold the rest, and changes nothing', () => {
    const budget = new MemoryBudget(100);
    const [busy, resting] = [new TestHolder(), new TestHolder()];
    busy.resting = false;
    budget.take(busy, 60);
    budget.take(resting, 30);
    expect(budget.take(new TestHolder(), 50)).toBe(false);
    expect(resting.evictions).toBe(0);
    expect(budget.bytes).toBe(90);
    budget.release(busy);
    expect(budget.take(new TestHolder(), 50)).toBe(true);
    expect(budget.peak).toBe(90);
  });

  it('counts growth once', () => {
    const budget = new MemoryBudget(100);
    const one = new TestHolder();
    budget.take(one, 60);
    expect(budget.take(one, 90)).toBe(true);
    expect(budget.bytes).toBe(90);
    budget.release(one);
    budget.release(one);
    expect(budget.bytes).toBe(0);
  });
});
