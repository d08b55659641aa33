import * as z from 'zod';
import { ownKeys } from '../json/order.js';
import { parse } from '../json/parse.js';
import { stringify } from '../json/stringify.js';
import { ownRecord } from './record.js';

const counts = ownRecord(z.string().min(1), z.int());

describe('ownRecord', () => {
  it('checks every own name and value', () => {
    const sent = parse('{"__proto__":"x","":1,"constructor":1.5,"ok":1}');
    const result = counts.safeParse(sent);
    expect(result.error?.issues.map(({ code, path }) => [code, ...path])).toEqual([
      ['invalid_type', '__proto__'],
      ['invalid_key', ''],
      ['invalid_type', 'constructor'],
    ]);
  });

  it.each([null, [], 'x', 1, undefined])('takes no %j', (sent) => {
    expect(counts.safeParse(sent).success).toBe(false);
  });

  it('returns what it leaves alone as it is', () => {
    const sent = parse('{"b":1,"10":2,"9":3,"__proto__":4}') as object;
    expect(counts.parse(sent)).toBe(sent);
  });

  it('keeps names and their order where values change', () => {
    const filled = ownRecord(z.string(), z.strictObject({ limit: z.int().default(5) }));
    const result = filled.parse(parse('{"b":{},"10":{"limit":1},"9":{},"__proto__":{}}'));
    expect(ownKeys(result)).toEqual(['b', '10', '9', '__proto__']);
    expect(stringify(result)).toBe('{"b":{"limit":5},"10":{"limit":1},"9":{"limit":5},"__proto__":{"limit":5}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('can be made optional, nullable and checked further', () => {
    const nested = z.strictObject({
      counts: counts
        .check((payload) => void payload)
        .nullable()
        .optional(),
    });
    expect(nested.safeParse({ counts: null }).success).toBe(true);
    expect(nested.safeParse({}).success).toBe(true);
    expect(nested.safeParse({ counts: parse('{"__proto__":"x"}') }).success).toBe(false);
  });
});
