import { describe, expect, it } from '@jest/globals';
import { hashOf, hintOf, isWellFormed, newKey } from './key-format.js';

describe('an API key', () => {
  it('is asy_live_ and 40 base62 characters', () => {
    for (let round = 0; round < 200; round += 1) expect(newKey()).toMatch(/^asy_live_[0-9A-Za-z]{40}$/);
  });

  it('passes its own checksum', () => {
    for (let round = 0; round < 200; round += 1) expect(isWellFormed(newKey())).toBe(true);
  });

  it('has the checksum that scanners outside know: CRC-32 in base 62', () => {
    expect(isWellFormed('asy_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWX0TeJoD')).toBe(true);
  });

  it('is refused with any one character changed', () => {
    const key = newKey();
    for (let at = 'asy_live_'.length; at < key.length; at += 1) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it.each([
    '',
    'asy_live_',
    'Bearer x',
    `${newKey()}x`,
    ` ${newKey()}`,
    `${newKey()}\n`,
    newKey().replace('live', 'test'),
  ])('is not %j', (text) => expect(isWellFormed(text)).toBe(false));

  it('shows no more of itself than its last four characters', () => {
    const key = newKey();
    expect(hintOf(key)).toBe(`asy_live_…${key.slice(-4)}`);
  });

  it('is stored as its SHA-256', () => {
    expect(hashOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
