import type { Config } from '../../config/load.js';

/** Nest's token for the price of an enrollment in nano-dollars; null where enrollment is not offered. */
export const ENROLLMENT_PRICE = Symbol('enrollment price');
export type EnrollmentPrice = bigint | null;

const NANO_DIGITS = 9;

export function enrollmentPrice({
  ASSAY_ENROLLMENT_USD: written,
}: Pick<Config, 'ASSAY_ENROLLMENT_USD'>): EnrollmentPrice {
  if (written === 'off') return null;
  const [whole = '', fraction = ''] = written.split('.');
  return BigInt(whole + fraction.padEnd(NANO_DIGITS, '0'));
}
