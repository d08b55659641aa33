export { evalCommand } from './command.js';
