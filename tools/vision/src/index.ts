export { ensureFaceModels } from './ensure.js';
export type { Progress } from './fetch/package.js';
export { progressLine } from './progress-line.js';
