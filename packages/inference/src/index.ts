export { BundleError, type BundleProblem } from './bundle/errors.js';
export { type Bundle, loadBundle } from './bundle/load.js';
export { findBundles } from './bundle/registry.js';
export type { CalibrationMeasure } from './calibration/calibration.js';
export type {
  AskOptions,
  ContextAskOptions,
  DecideInput,
  Decision,
  Engine,
  FixedPart,
  FramesMark,
  ModelInfo,
  OpenContext,
  Prepared,
  PreparedFrame,
  PreparedQuestions,
  Scores,
  Timings,
  Usage,
} from './engine/engine.js';
export * from './engine/errors.js';
export { FRAME_TOKENS, REQUEST_TOKENS } from './engine/limits.js';
export { Models, type ModelsOptions } from './engine/models.js';
export type * from './questions/answer.js';
export { GRID_VALUES, LEVELS, OPTIONS, SMALLEST_STEP } from './questions/limits.js';
export type { Named } from './questions/named.js';
export type * from './questions/question.js';
export type { EngineEvent } from './scheduler/events.js';
export type { Priority } from './scheduler/ticket.js';
export type { JsonValue } from './text/json.js';
export { renderState } from './text/render.js';
