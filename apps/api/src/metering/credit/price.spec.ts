import { describe, expect, it } from '@jest/globals';
import { amountNano, pricePerTokenNano } from './price.js';

describe('a price', () => {
  it.each([
    [0.042, 42n],
    [0.021, 21n],
    [0.02, 20n],
    [1, 1_000n],
    [0, 0n],
  ])('of $%d a million tokens is %d nano-dollars a token', (dollars, nano) => {
    expect(pricePerTokenNano(dollars)).toBe(nano);
  });

  it('is refused when it is no whole number of nano-dollars', () => {
    expect(() => pricePerTokenNano(0.0425)).toThrow('0.0425');
  });

  it('is paid whole live and half in a batch', () => {
    expect(amountNano(1_000, 42n, 'live')).toBe(42_000n);
    expect(amountNano(1_000, 42n, 'batch')).toBe(21_000n);
  });

  it('never exceeds half of an odd price in a batch', () => {
    expect(amountNano(1, 21n, 'batch')).toBe(10n);
    expect(amountNano(3, 21n, 'batch')).toBe(31n);
    expect(amountNano(2, 21n, 'batch')).toBe(21n);
  });
});
