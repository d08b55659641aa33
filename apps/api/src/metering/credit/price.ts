/** Prices are whole nano-dollars a token: `assay-1.0` costs 42, which is $0.042 a million tokens. */
export function pricePerTokenNano(inputUsdPerMillionTokens: number): bigint {
  const nano = inputUsdPerMillionTokens * 1_000;
  const whole = Math.round(nano);
  if (Math.abs(nano - whole) > 1e-6)
    throw new RangeError(`${inputUsdPerMillionTokens} is not a whole number of nano-dollars a token`);
  return BigInt(whole);
}

/** `live` and `batch` are the document's price factors 1 and 0.5, as divisors so that amounts stay whole. */
const DIVISOR = { live: 1n, batch: 2n };

export type Tariff = keyof typeof DIVISOR;

/** What one call, frame or batch line costs. A half nano-dollar is dropped: nobody pays more than the published price. */
export function amountNano(tokens: number, priceNano: bigint, tariff: Tariff): bigint {
  return (BigInt(tokens) * priceNano) / DIVISOR[tariff];
}
