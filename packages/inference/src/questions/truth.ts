import { rounded, type TruthAnswer } from './answer.js';
import type { Candidate, TruthQuestion } from './question.js';

/** One statement: nothing in a truth can be too many. */
export function check(_name: string, _question: TruthQuestion): void {}

/** One statement: the truth logit of "yes" is the answer, so nothing has to be weighed against a "no". */
export function candidates(question: TruthQuestion): Candidate[] {
  const yes = question.criteria?.true ? `yes: ${question.criteria.true}` : 'yes';
  const no = question.criteria?.false ? ` (no: ${question.criteria.false})` : '';
  return [{ name: 'true', text: yes + no }];
}

export function answer(_question: TruthQuestion, probabilities: readonly number[]): TruthAnswer {
  return { type: 'truth', truth: rounded(probabilities[0]!, 2) };
}
