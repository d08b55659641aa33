import type { Recording } from './recording.js';

export interface Comparison {
  readonly n: number;
  readonly recorded: number;
  readonly now: number;
  /** Recorded accuracy minus the accuracy now: above 0 is worse. */
  readonly drop: number;
  /** Examples answered rightly in the recording and wrongly now, and the reverse. */
  readonly lost: number;
  readonly gained: number;
  readonly passed: boolean;
}

export class RecordingMismatchError extends Error {
  constructor(reason: string) {
    super(`the recording is of other examples: ${reason}`);
    this.name = 'RecordingMismatchError';
  }
}

export function compare(recorded: Recording, now: Recording, margin: number): Comparison {
  const before = new Map(recorded.answers.map((answer) => [answer.example, answer.correct]));
  if (before.size !== now.answers.length)
    throw new RecordingMismatchError(`${before.size} recorded, ${now.answers.length} asked`);
  let lost = 0;
  let gained = 0;
  for (const { example, correct } of now.answers) {
    const was = before.get(example);
    if (was === undefined) throw new RecordingMismatchError(`no answer is recorded for ${example}`);
    if (was && !correct) lost++;
    if (!was && correct) gained++;
  }
  const n = now.answers.length;
  const drop = (lost - gained) / n;
  return { n, recorded: recorded.accuracy, now: now.accuracy, drop, lost, gained, passed: drop <= margin };
}

export function comparisonText({ n, recorded, now, lost, gained, passed }: Comparison, margin: number): string {
  const verdict = passed ? 'within' : 'MORE THAN';
  return `paired over ${n}: accuracy ${recorded.toFixed(3)} recorded, ${now.toFixed(3)} now (${lost} lost, ${gained} gained), ${verdict} the margin of ${margin}`;
}
