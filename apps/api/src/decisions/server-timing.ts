/** The header's value: where the time of a call went, in milliseconds. */
export const serverTiming = (milliseconds: Readonly<Record<string, number>>): string =>
  Object.entries(milliseconds)
    .map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`)
    .join(', ');
