import type { Named } from './named.js';

export interface ChoiceQuestion {
  readonly type: 'choice';
  readonly instructions?: string | null;
  /** Option to description. */
  readonly criteria: Named<string | null>;
}

export interface TruthQuestion {
  readonly type: 'truth';
  readonly instructions?: string | null;
  readonly criteria?: { readonly true?: string | null; readonly false?: string | null } | null;
}

export interface ScoreQuestion {
  readonly type: 'score';
  readonly instructions?: string | null;
  /** Level (a whole number) to description. Absent: the levels 1 to 5. */
  readonly criteria?: Named<string | null> | null;
}

export interface NumberQuestion {
  readonly type: 'number';
  readonly instructions?: string | null;
  readonly min: number;
  readonly max: number;
  readonly step?: number | null;
}

export type Question = ChoiceQuestion | TruthQuestion | ScoreQuestion | NumberQuestion;

/** One thing that a question can be answered with: its name in the answer, and the words that the model reads. */
export interface Candidate {
  readonly name: string;
  readonly text: string;
}
