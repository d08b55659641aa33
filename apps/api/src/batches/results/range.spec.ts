import { isKnown, wantedRange } from './range.js';

const ETAG = '"abc"';

test.each([
  [undefined, 'whole'],
  ['bytes=0-', { first: 0, last: 99 }],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=10-19', { first: 10, last: 19 }],
  ['bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=99-', { first: 99, last: 99 }],
  ['bytes=100-', 'whole'],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=-0', 'whole'],
  ['bytes=9-3', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['lines=0-1', 'whole'],
] as const)('of 100 bytes %s is %j', (range, expected) => {
  expect(wantedRange(range, undefined, ETAG, 100)).toEqual(expected);
});

test('a range of another version is the whole file', () => {
  expect(wantedRange('bytes=1-2', ETAG, ETAG, 100)).toEqual({ first: 1, last: 2 });
  expect(wantedRange('bytes=1-2', '"old"', ETAG, 100)).toBe('whole');
  expect(wantedRange('bytes=0-', undefined, ETAG, 0)).toBe('whole');
});

test.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['*', true],
  ['"x"', false],
])('If-None-Match %s', (header, known) => {
  expect(isKnown(header, ETAG)).toBe(known);
});
