export { surfaces } from './checks/index.js';
export { reportText, summary } from './report/text.js';
export { type Result, type RunOptions, run, type Surface } from './run.js';
