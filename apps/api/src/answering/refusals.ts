import { limits } from '@assay/contract';
import { FrameTooLongError, MaxTokensExceededError, OverloadedError, QuestionLimitError } from '@assay/inference';
import { QuestionLimitRefusal, Refusal } from '../http/refusal.js';

const SHOWN_CHARACTERS = 64;
const shown = (name: string): string => JSON.stringify([...name].slice(0, SHOWN_CHARACTERS).join(''));
const usage = (message: string): Refusal => new Refusal('api_usage_error', { message });

function questionRefusal({ kind, question, given, limit, candidate }: QuestionLimitError): Error {
  switch (kind) {
    case 'too_many_options':
      return new QuestionLimitRefusal(limits.choiceOptions.message(given));
    case 'too_many_levels':
      return new QuestionLimitRefusal(limits.scoreLevels.message(given));
    case 'number_grid_too_large':
      return usage(limits.numberValues.message(given));
    case 'number_step_too_small':
      return usage(limits.numberStep.message(given));
    case 'number_grid_empty':
    case 'no_candidates':
      return usage(`Question ${shown(question)} has no possible answer.`);
    case 'candidate_too_long':
      return usage(
        `${shown(candidate ?? '')} of question ${shown(question)} has ${given} tokens, at most ${limit} are read.`,
      );
  }
}

/** What the engine will not do, as the contract's errors; a fault stays a fault. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof QuestionLimitError) return questionRefusal(error);
  if (error instanceof MaxTokensExceededError) return new Refusal('max_tokens_exceeded');
  if (error instanceof FrameTooLongError) return usage(limits.frameTokens.message('more than 4,096'));
  if (error instanceof OverloadedError) return new Refusal('overloaded_error', { retryAfterMs: error.retryAfterMs });
  return error;
}
