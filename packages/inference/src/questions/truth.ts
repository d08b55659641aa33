import type { Candidate, TruthQuestion } from './question.js';

/** One statement: the truth logit of "yes" is the answer, so nothing has to be weighed against a "no". */
export function candidates(question: TruthQuestion): Candidate[] {
  const yes = question.criteria?.true ? `yes: ${question.criteria.true}` : 'yes';
  const no = question.criteria?.false ? ` (no: ${question.criteria.false})` : '';
  return [{ name: 'true', text: yes + no }];
}
