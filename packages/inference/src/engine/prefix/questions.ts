import type { Block } from '../../context/context.js';
import { entries, type Named } from '../../questions/named.js';
import type { Candidate, Question } from '../../questions/question.js';
import {
  CANDIDATE_PIECES,
  CandidateTooLongError,
  type StatementTokenizer,
  statementTokens,
} from '../../questions/statement.js';
import { typeOf } from '../../questions/types.js';
import { cutBlocks } from '../../text/blocks.js';
import { encodeAtMost } from '../../text/bounded.js';
import type { WordPiece } from '../../text/wordpiece.js';
import { MaxTokensExceededError, QuestionLimitError } from '../errors.js';
import { REQUEST_TOKENS } from '../limits.js';

/** A question as the statements of its candidates. */
export interface AskableQuestion {
  readonly name: string;
  readonly question: Question;
  readonly statements: readonly Int32Array[];
  /** What the statements have no room for of long instructions: read after the state, for this question alone. */
  readonly overflow: readonly Block[];
  /** What it costs: the pieces of its instructions and of its candidates, each once. */
  readonly tokens: number;
}

export function askable(tokenizer: WordPiece, questions: Named<Question>, blockPieces: number): AskableQuestion[] {
  let left = REQUEST_TOKENS;
  return entries(questions).map(([name, question]) => {
    typeOf(question).check(name, question);
    const one = askableQuestion(tokenizer, name, question, blockPieces, left);
    left -= one.tokens;
    return one;
  });
}

function askableQuestion(
  tokenizer: WordPiece,
  name: string,
  question: Question,
  blockPieces: number,
  atMost: number,
): AskableQuestion {
  const read = new Map<string, number[]>();
  let tokens = 0;
  const count = (text: string): void => {
    const pieces = read.get(text) ?? encodeAtMost(tokenizer, text, atMost - tokens);
    if (pieces === undefined) throw new MaxTokensExceededError(REQUEST_TOKENS);
    read.set(text, pieces);
    tokens += pieces.length;
    if (tokens > atMost) throw new MaxTokensExceededError(REQUEST_TOKENS);
  };
  const encoder = { cls: tokenizer.cls, sep: tokenizer.sep, encode: (text: string) => read.get(text) ?? [] };
  const instructions = question.instructions ?? '';
  count(instructions);
  const statements = typeOf(question)
    .candidates(question)
    .map((candidate) => {
      count(candidate.text);
      return statementOf(encoder, name, instructions, candidate);
    });
  const overflow = cutOverflow(statements[0]?.overflow ?? [], blockPieces, tokenizer);
  return { name, question, statements: statements.map((statement) => statement.tokens), overflow, tokens };
}

function statementOf(encoder: StatementTokenizer, question: string, instructions: string, candidate: Candidate) {
  try {
    return statementTokens(encoder, instructions, candidate.text);
  } catch (error) {
    if (!(error instanceof CandidateTooLongError)) throw error;
    throw new QuestionLimitError(question, 'candidate_too_long', CANDIDATE_PIECES, error.pieces, candidate.name);
  }
}

function cutOverflow(pieces: readonly number[], blockPieces: number, tokenizer: WordPiece): Block[] {
  return pieces.length === 0 ? [] : cutBlocks(pieces, blockPieces, tokenizer).map((tokens) => ({ tokens }));
}
