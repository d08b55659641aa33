/** PostgreSQL's bigint comes back as text; in the domain an amount is a bigint, never a rounded number. */
export const wholeNumber = {
  from: (stored: string | null): bigint | null => (stored === null ? null : BigInt(stored)),
  to: (value: bigint | null | undefined): string | null | undefined =>
    typeof value === 'bigint' ? value.toString() : value,
};
