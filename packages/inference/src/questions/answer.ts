/** Probabilities by name, in the order asked; a list because an object would reorder names like `10`. */
export type Probabilities = readonly (readonly [name: string, probability: number])[];

export interface ChoiceAnswer {
  readonly type: 'choice';
  readonly choice: string;
  readonly confidence: number;
  readonly probabilities: Probabilities;
}

export interface TruthAnswer {
  readonly type: 'truth';
  readonly truth: number;
}

export interface ScoreAnswer {
  readonly type: 'score';
  readonly score: number;
  readonly level: number;
  readonly confidence: number;
  readonly probabilities: Probabilities;
}

export interface NumberAnswer {
  readonly type: 'number';
  readonly number: number;
  readonly confidence: number;
  readonly probabilities: Probabilities;
}

export type Answer = ChoiceAnswer | TruthAnswer | ScoreAnswer | NumberAnswer;

/** To the nearest; each of `n` entries moves by at most half a unit, so their sum stays within `n` halves of 1. */
export function rounded(value: number, decimals: number): number {
  const units = Math.round(Number(`${value.toFixed(12)}e${decimals}`));
  return Number((units / 10 ** decimals).toFixed(decimals)) + 0;
}

/** The most probable candidate. Of equal ones the least by `compare`, so that the order asked cannot decide. */
export function winner(
  names: readonly string[],
  probabilities: readonly number[],
  compare: (a: string, b: string) => number,
): number {
  let best = 0;
  for (let index = 1; index < names.length; index += 1) {
    const lead = probabilities[index]! - probabilities[best]!;
    if (lead > 0 || (lead === 0 && compare(names[index]!, names[best]!) < 0)) best = index;
  }
  return best;
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byValue = (a: string, b: string): number => Number(a) - Number(b);
