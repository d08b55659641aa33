import { describe, expect, it } from '@jest/globals';
import { EmbeddedPostgresUnavailable, explainFailure } from './unavailable.js';

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('why the embedded server cannot run', () => {
  it.each([
    ['the disk of the data folder is full', withCode('ENOSPC', 'no space left on device, copyfile')],
    [
      'the disk of the data folder is full',
      'FATAL:  could not extend file "base/1/4168": wrote only 4096 of 8192 bytes',
    ],
    ['on a read-only file system: set ASSAY_DATA_DIR', withCode('EROFS', 'read-only file system, mkdir')],
    ['not writable for this user: set ASSAY_DATA_DIR', withCode('EACCES', 'permission denied, mkdir')],
    ['cannot be made: set ASSAY_DATA_DIR', withCode('ENOENT', 'no such file or directory, mkdir')],
    ['has no entry in the user database', 'initdb: could not look up effective user ID 4242: user does not exist'],
    ['not enough memory', 'FATAL:  could not map anonymous shared memory: Cannot allocate memory'],
  ])('%s', (advice, cause) => {
    const explained = explainFailure('starting it', cause);
    expect(explained.message).toContain('The embedded PostgreSQL cannot run: starting it: ');
    expect(explained.message).toContain(advice);
  });

  it('is told in the words of the cause when nothing better is known', () => {
    expect(explainFailure('starting it', new Error('out of luck')).message).toContain('starting it: out of luck');
  });

  it('is not told twice', () => {
    const known = new EmbeddedPostgresUnavailable('clear already');
    expect(explainFailure('starting it', known)).toBe(known);
  });
});
