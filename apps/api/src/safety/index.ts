export { SAFETY_CATEGORIES, type SafetyCategory, type SafetyScores } from './category.js';
export { type FittedCategory, type FittedSafety, fittedScores, probability, SAFETY_FILE } from './fitted.js';
export { type LabelledRequest, readLabelled } from './labelled.js';
export { isReadable, READING, type ReadableEngine, readings } from './reading.js';
export { StatementScorer } from './statement-scorer.js';
