import { readable } from '../text/render.js';
import type { Candidate, ChoiceQuestion } from './question.js';

export function candidates(question: ChoiceQuestion): Candidate[] {
  return Object.entries(question.criteria).map(([name, description]) => ({
    name,
    text: description ? `${readable(name)}: ${description}` : readable(name),
  }));
}
