export interface StatementTokenizer {
  readonly cls: number;
  readonly sep: number;
  encode(text: string): number[];
}

export interface Statement {
  readonly tokens: Int32Array;
  /** The pieces of the instructions that the statement has no room for; they are read as context of this question. */
  readonly overflow: number[];
}

export const INSTRUCTION_PIECES = 300;
export const CANDIDATE_PIECES = 190;

export class CandidateTooLongError extends Error {
  readonly candidate: string;
  readonly pieces: number;

  constructor(candidate: string, pieces: number) {
    super(`a candidate has ${pieces} pieces, at most ${CANDIDATE_PIECES} are read`);
    this.name = 'CandidateTooLongError';
    this.candidate = candidate;
    this.pieces = pieces;
  }
}

/** `[CLS] instructions [SEP] candidate [SEP]`: at most 493 tokens, whatever the caller sent. */
export function statementTokens(tokenizer: StatementTokenizer, instructions: string, candidate: string): Statement {
  const claim = tokenizer.encode(candidate);
  if (claim.length > CANDIDATE_PIECES) throw new CandidateTooLongError(candidate, claim.length);
  const asked = tokenizer.encode(instructions);
  const overflow = asked.slice(0, Math.max(0, asked.length - INSTRUCTION_PIECES));
  const kept = asked.slice(overflow.length);
  const head = kept.length === 0 ? [] : [...kept, tokenizer.sep];
  return { tokens: Int32Array.of(tokenizer.cls, ...head, ...claim, tokenizer.sep), overflow };
}
