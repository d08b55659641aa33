import { UsageError } from './command.js';

const NANO_DIGITS = 9;

/** US dollars as written (`12.50`) in whole nano-dollars; nothing is rounded. */
export function nanoDollars(written: string): bigint {
  const parts = /^(-?)(\d{1,9})(?:\.(\d{1,9}))?$/.exec(written);
  if (!parts) throw new UsageError(`"${written}" is not an amount of US dollars such as 25 or 12.50`);
  const [, sign, whole = '', fraction = ''] = parts;
  const nano = BigInt(whole + fraction.padEnd(NANO_DIGITS, '0'));
  return sign ? -nano : nano;
}

/** Nano-dollars as US dollars, with no more digits than it takes. */
export function dollars(nano: bigint): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(NANO_DIGITS + 1, '0');
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, '').padEnd(2, '0');
  return `${nano < 0n ? '-' : ''}$${digits.slice(0, -NANO_DIGITS)}.${fraction}`;
}
