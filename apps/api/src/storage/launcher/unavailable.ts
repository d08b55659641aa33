import { errorCode, errorMessage } from '../error-code.js';

/** The embedded server cannot run here, and waiting will not help: the message tells the operator what to change. */
export class EmbeddedPostgresUnavailable extends Error {
  override readonly name = 'EmbeddedPostgresUnavailable';
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|No space left on device|could not extend file|wrote only \d+ of/i, 'the disk of the data folder is full'],
  [
    /EROFS|read-only file system/i,
    'the data folder is on a read-only file system: set ASSAY_DATA_DIR to a writable folder',
  ],
  [
    /EACCES|EPERM|permission denied/i,
    'the data folder is not writable for this user: set ASSAY_DATA_DIR to a folder that is',
  ],
  [
    /could not look up effective user ID/i,
    'the user that this service runs as has no entry in the user database: run it as one that has',
  ],
  [/ENOENT.*mkdir/, 'the data folder cannot be made: set ASSAY_DATA_DIR to a folder that can'],
  [/ENOTDIR|EEXIST/, 'the data folder is not a folder'],
  [/Cannot allocate memory|ENOMEM/i, 'there is not enough memory to start it'],
];

/** Turns whatever stopped the start into one sentence that names the cause and, where there is one, the way out. */
export function explainFailure(doing: string, cause: unknown): EmbeddedPostgresUnavailable {
  if (cause instanceof EmbeddedPostgresUnavailable) return cause;
  const text = `${errorCode(cause)} ${errorMessage(cause)}`;
  const known = ADVICE.find(([pattern]) => pattern.test(text))?.[1];
  const reason = known ? `${known} (${text.trim()})` : text.trim();
  return new EmbeddedPostgresUnavailable(`The embedded PostgreSQL cannot run: ${doing}: ${reason}`, { cause });
}
