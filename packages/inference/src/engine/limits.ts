import { FrameTooLongError, MaxTokensExceededError } from './errors.js';

/** A request, state and questions together. Over it: `MaxTokensExceededError`. */
export const REQUEST_TOKENS = 65_536;
/** One frame of a session. Over it: `FrameTooLongError`. */
export const FRAME_TOKENS = 4_096;

export function checkRequest(tokens: number): void {
  if (tokens > REQUEST_TOKENS) throw new MaxTokensExceededError(REQUEST_TOKENS);
}

export function checkFrame(tokens: number): void {
  if (tokens > FRAME_TOKENS) throw new FrameTooLongError(FRAME_TOKENS);
}
