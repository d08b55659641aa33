export { SAFETY_CATEGORIES, type SafetyCategory, type SafetyScores } from './category.js';
export { type ScoringOptions, safetyFeatures } from './features.js';
export { type FittedCategory, type FittedSafety, probability, SAFETY_FILE } from './fitted.js';
export { type LabelledRequest, readLabelled } from './labelled.js';
export { STATEMENTS } from './statements.js';
