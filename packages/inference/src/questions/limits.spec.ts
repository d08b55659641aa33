import { QuestionLimitError } from '../engine/errors.js';
import type { Question } from './question.js';
import { typeOf } from './types.js';

const options = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, null]));
const levels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, null]));
const check = (question: Question) => () => typeOf(question).check('asked', question);

describe('limits of a question', () => {
  it.each<[string, Question, Question, Partial<QuestionLimitError>]>([
    [
      '255 options',
      { type: 'choice', criteria: options(255) },
      { type: 'choice', criteria: options(256) },
      { kind: 'too_many_options', limit: 255, given: 256 },
    ],
    [
      '10 levels',
      { type: 'score', criteria: levels(10) },
      { type: 'score', criteria: levels(11) },
      { kind: 'too_many_levels', limit: 10, given: 11 },
    ],
    [
      '256 grid values',
      { type: 'number', min: 1, max: 256 },
      { type: 'number', min: 1, max: 257 },
      { kind: 'number_grid_too_large', limit: 256, given: 257 },
    ],
    [
      'a step of 1',
      { type: 'number', min: 0, max: 3, step: 1 },
      { type: 'number', min: 0, max: 3, step: 0.5 },
      { kind: 'number_step_too_small', limit: 1, given: 0.5 },
    ],
  ])('%s are served, more are refused', (_limit, served, refused, error) => {
    expect(check(served)).not.toThrow();
    expect(check(refused)).toThrow(QuestionLimitError);
    expect(check(refused)).toThrow(expect.objectContaining({ question: 'asked', ...error }));
  });

  it('refuses a grid beyond all numbers without building it', () => {
    expect(check({ type: 'number', min: -1e308, max: 1e308 })).toThrow(
      expect.objectContaining({ kind: 'number_grid_too_large' }),
    );
    expect(check({ type: 'number', min: 2, max: 1 })).toThrow(expect.objectContaining({ kind: 'number_grid_empty' }));
    expect(check({ type: 'choice', criteria: {} })).toThrow(expect.objectContaining({ kind: 'no_candidates' }));
  });
});
