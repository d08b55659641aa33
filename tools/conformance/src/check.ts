import type { Probe } from './probe.js';

/** A sentence of the contract that a running service can keep or break. */
export interface Statement {
  /** Where it stands: a heading of the document, or `contract: ` and a heading of the contract decisions. */
  readonly section: string;
  readonly text: string;
}

export interface Check extends Statement {
  /** Ends when the statement was kept, throws `Broken` or `NotApplicable` otherwise. */
  run(probe: Probe): Promise<void>;
}

export const check = (section: string, text: string, run: Check['run']): Check => ({ section, text, run });

/** The service does not keep the statement. */
export class Broken extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Broken';
  }
}

/** The statement cannot be seen from where this program stands; the reason says why. */
export class NotApplicable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotApplicable';
  }
}

/** A statement of the document that no caller can provoke; it is listed so that nobody takes silence for proof. */
export const unseen = (section: string, text: string, reason: string): Check =>
  check(section, text, () => Promise.reject(new NotApplicable(reason)));
