import { MaxTokensExceededError, QuestionLimitError } from '../engine/errors.js';
import { REQUEST_TOKENS } from '../engine/limits.js';
import { entries, type Named } from '../questions/named.js';
import type { Candidate, Question } from '../questions/question.js';
import { CANDIDATE_PIECES } from '../questions/statement.js';
import { typeOf } from '../questions/types.js';
import { encodeAtMost } from '../text/bounded.js';
import type { HubTokenizer } from './tokenizer.js';

/** A question as one hypothesis for each candidate. */
export interface NliQuestion {
  readonly name: string;
  readonly question: Question;
  readonly hypotheses: readonly (readonly number[])[];
  /** The pieces of its hypotheses: all of them are read, so all of them are counted. */
  readonly tokens: number;
}

/** `longest` is what a hypothesis may take, so that a premise still has room beside it. */
export function nliQuestions(tokenizer: HubTokenizer, questions: Named<Question>, longest: number): NliQuestion[] {
  let left = REQUEST_TOKENS;
  return entries(questions).map(([name, question]) => {
    typeOf(question).check(name, question);
    const hypotheses = typeOf(question)
      .candidates(question)
      .map((candidate) => {
        const pieces = encodeAtMost(tokenizer, hypothesis(question, candidate), left);
        left -= pieces?.length ?? 0;
        if (pieces === undefined || left < 0) throw new MaxTokensExceededError(REQUEST_TOKENS);
        const most = Math.min(longest, CANDIDATE_PIECES + longest / 2);
        if (pieces.length > most) {
          throw new QuestionLimitError(name, 'candidate_too_long', most, pieces.length, candidate.name);
        }
        return pieces;
      });
    return { name, question, hypotheses, tokens: hypotheses.reduce((sum, pieces) => sum + pieces.length, 0) };
  });
}

/** An entailment model reads a claim, so a truth is its own claim and not a "yes" to one. */
function hypothesis(question: Question, candidate: Candidate): string {
  const instructions = question.instructions ?? '';
  if (question.type !== 'truth') return `${instructions} ${candidate.text}`;
  return [instructions, question.criteria?.true].filter(Boolean).join(' ') || candidate.text;
}
