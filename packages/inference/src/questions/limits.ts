import { QuestionLimitError } from '../engine/errors.js';

/** Options of a choice. Over it: `too_many_options`. */
export const OPTIONS = 255;
/** Levels of a score. Over it: `too_many_levels`. */
export const LEVELS = 10;
/** Values of a number's grid. Over it: `number_grid_too_large`. */
export const GRID_VALUES = 256;
/** Step of a number's grid. Under it: `number_step_too_small`. */
export const SMALLEST_STEP = 1;

export function checkOptions(question: string, options: number): void {
  if (options === 0) throw new QuestionLimitError(question, 'no_candidates', 1, 0);
  if (options > OPTIONS) throw new QuestionLimitError(question, 'too_many_options', OPTIONS, options);
}

export function checkLevels(question: string, levels: number): void {
  if (levels === 0) throw new QuestionLimitError(question, 'no_candidates', 1, 0);
  if (levels > LEVELS) throw new QuestionLimitError(question, 'too_many_levels', LEVELS, levels);
}

export function checkGrid(question: string, step: number, values: number): void {
  if (step < SMALLEST_STEP) throw new QuestionLimitError(question, 'number_step_too_small', SMALLEST_STEP, step);
  if (values < 1) throw new QuestionLimitError(question, 'number_grid_empty', 1, values);
  if (values > GRID_VALUES) throw new QuestionLimitError(question, 'number_grid_too_large', GRID_VALUES, values);
}
