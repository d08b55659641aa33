import { byValue, rounded, type ScoreAnswer, winner } from './answer.js';
import { checkLevels } from './limits.js';
import { entries, type Named } from './named.js';
import type { Candidate, ScoreQuestion } from './question.js';

const DEFAULT_LEVELS: Named<null> = { '1': null, '2': null, '3': null, '4': null, '5': null };

export function check(name: string, question: ScoreQuestion): void {
  checkLevels(name, levelsOf(question).length);
}

export function candidates(question: ScoreQuestion): Candidate[] {
  const levels = levelsOf(question);
  const values = levels.map(([level]) => Number(level));
  const scale = `${Math.min(...values)} to ${Math.max(...values)}`;
  return levels.map(([level, description]) => ({
    name: level,
    text: description ? `${level}: ${description}` : `level ${level} of ${scale}`,
  }));
}

/** The mean is summed from the lowest level up, whatever the order asked. */
export function answer(question: ScoreQuestion, probabilities: readonly number[]): ScoreAnswer {
  const names = levelsOf(question).map(([level]) => level);
  const best = winner(names, probabilities, byValue);
  const rising = names.map((name, index) => ({ level: Number(name), probability: probabilities[index]! }));
  rising.sort((a, b) => a.level - b.level);
  return {
    type: 'score',
    score: rounded(
      rising.reduce((mean, { level, probability }) => mean + level * probability, 0),
      2,
    ),
    level: Number(names[best]!),
    confidence: rounded(probabilities[best]!, 2),
    probabilities: names.map((name, index) => [name, rounded(probabilities[index]!, 2)]),
  };
}

function levelsOf(question: ScoreQuestion): [string, string | null][] {
  return entries<string | null>(question.criteria ?? DEFAULT_LEVELS);
}
