/** Nest's token for the time that cut-offs and retention are measured by; tests move it. */
export const CLOCK = Symbol('clock');
export type Clock = () => Date;
