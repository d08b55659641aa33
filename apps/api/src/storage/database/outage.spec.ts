import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseOutage } from './outage.js';

const withCode = (code: string) => Object.assign(new Error('from below'), { code });

describe('an outage of the database', () => {
  it.each(['ECONNREFUSED', 'ENOENT', '57P01', '57P03', '08006', '53300', '53100'])(
    'is %s, also inside a failed query',
    (code) => {
      expect(isDatabaseOutage(withCode(code))).toBe(true);
      expect(isDatabaseOutage(new QueryFailedError('SELECT 1', [], withCode(code)))).toBe(true);
    },
  );

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])('is %j', (message) => {
    expect(isDatabaseOutage(new Error(message))).toBe(true);
  });

  it('is any of several failed attempts to connect', () => {
    expect(isDatabaseOutage(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
  });

  it.each(['23505', '42601', '22P02', '40001'])('is not %s', (code) => {
    expect(isDatabaseOutage(new QueryFailedError('SELECT 1', [], withCode(code)))).toBe(false);
  });

  it.each([undefined, null, 'ECONNREFUSED', new TypeError('x is not a function')])('is not %p', (error) => {
    expect(isDatabaseOutage(error)).toBe(false);
  });
});
