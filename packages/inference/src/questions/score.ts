import type { Candidate, ScoreQuestion } from './question.js';

const DEFAULT_LEVELS: { readonly [level: string]: null } = { '1': null, '2': null, '3': null, '4': null, '5': null };

export function candidates(question: ScoreQuestion): Candidate[] {
  const levels = Object.entries(question.criteria ?? DEFAULT_LEVELS);
  const values = levels.map(([level]) => Number(level));
  const scale = `${Math.min(...values)} to ${Math.max(...values)}`;
  return levels.map(([level, description]) => ({
    name: level,
    text: description ? `${level}: ${description}` : `level ${level} of ${scale}`,
  }));
}
