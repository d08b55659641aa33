import { readable } from '../text/render.js';
import { byText, type ChoiceAnswer, rounded, winner } from './answer.js';
import { checkOptions } from './limits.js';
import { entries } from './named.js';
import type { Candidate, ChoiceQuestion } from './question.js';

export function check(name: string, question: ChoiceQuestion): void {
  checkOptions(name, entries(question.criteria).length);
}

export function candidates(question: ChoiceQuestion): Candidate[] {
  return entries(question.criteria).map(([name, description]) => ({
    name,
    text: description ? `${readable(name)}: ${description}` : readable(name),
  }));
}

export function answer(question: ChoiceQuestion, probabilities: readonly number[]): ChoiceAnswer {
  const names = entries(question.criteria).map(([name]) => name);
  const best = winner(names, probabilities, byText);
  return {
    type: 'choice',
    choice: names[best]!,
    confidence: rounded(probabilities[best]!, 2),
    probabilities: names.map((name, index) => [name, rounded(probabilities[index]!, 2)]),
  };
}
