import { ownEntries, type Question, type Questions } from '@assay/contract';
import type { Question as Asked } from '@assay/inference';

/** The engine takes Maps, which keep the caller's order of names such as `10` and know no prototype. */
function asked(question: Question): Asked {
  if (question.type === 'choice') return { ...question, criteria: new Map(ownEntries(question.criteria)) };
  if (question.type === 'score')
    return { ...question, criteria: question.criteria && new Map(ownEntries(question.criteria)) };
  return question;
}

export const askedQuestions = (questions: Questions): Map<string, Asked> =>
  new Map(ownEntries(questions).map(([name, question]) => [name, asked(question)]));
