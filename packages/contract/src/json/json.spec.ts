import fc from 'fast-check';
import { orderedObject, ownEntries, ownKeys } from './order.js';
import { JsonError, parse } from './parse.js';
import { stringify } from './stringify.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function reason(source: string | Uint8Array): [string, number] {
  try {
    parse(typeof source === 'string' ? bytes(source) : source);
  } catch (error) {
    if (error instanceof JsonError) return [error.reason, error.position];
    throw error;
  }
  throw new Error('it was taken');
}

/** What JSON.parse makes of the text; undefined where it refuses it. */
const accepted = (text: string) => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

describe('parse', () => {
  it('agrees with JSON.parse on all JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parse(bytes(text))).toEqual(JSON.parse(text));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 3000, seed: 7 },
    );
  });

  it('takes no text that JSON.parse refuses, and refuses only what it says it does', () => {
    const edits = fc.array(fc.tuple(fc.nat(200), fc.constantFrom(...'{}[]",:\\u0019-+.eE tfn\n\u0000'), fc.boolean()), {
      minLength: 1,
      maxLength: 3,
    });
    const strict = new Set(['duplicate_name', 'number_out_of_range', 'lone_surrogate', 'number_too_long']);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), edits, (value, changes) => {
        let text = JSON.stringify(value);
        for (const [at, character, insert] of changes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + character + text.slice(insert ? place : place + 1);
        }
        const expected = accepted(text);
        try {
          const actual = parse(bytes(text));
          expect({ value: actual }).toEqual(expected);
        } catch (error) {
          if (!(error instanceof JsonError)) throw error;
          if (expected) expect(strict).toContain(error.reason);
        }
      }),
      { numRuns: 20_000, seed: 11 },
    );
  });

  it.each([
    ['syntax', '', 0],
    ['syntax', '  ', 2],
    ['syntax', '{"a":1,}', 7],
    ['syntax', '[1,]', 3],
    ['syntax', '[1 2]', 3],
    ['syntax', '{"a" 1}', 5],
    ['syntax', '{a:1}', 1],
    ['syntax', '"abc', 4],
    ['syntax', '"a\nb"', 2],
    ['syntax', '"\\x"', 2],
    ['syntax', '"\\u12g4"', 3],
    ['trailing_data', '01', 1],
    ['trailing_data', '1.', 1],
    ['syntax', '-', 0],
    ['syntax', 'NaN', 0],
    ['syntax', 'tru', 0],
    ['trailing_data', '{} {}', 3],
    ['duplicate_name', '{"a":1,"\\u0061":2}', 7],
    ['duplicate_name', '{"__proto__":1,"__proto__":2}', 15],
    ['number_out_of_range', '1e999', 0],
    ['number_too_long', `[${'1'.repeat(129)}]`, 1],
    ['name_too_long', `{"${'n'.repeat(65_537)}":1}`, 1],
    ['lone_surrogate', '["\\ud800"]', 1],
    ['lone_surrogate', '["\\udc00\\ud800"]', 1],
    ['too_deep', `${'['.repeat(65)}${']'.repeat(65)}`, 64],
    ['syntax', '\u00a01', 0],
  ])('refuses with %s, at the place (case %#)', (expected, text, position) => {
    expect(reason(text)).toEqual([expected, position]);
  });

  it('takes 64 levels, whole surrogate pairs and the longest names', () => {
    expect(() => parse(bytes(`${'[{"a":'.repeat(32)}1${'}]'.repeat(32)}`))).not.toThrow();
    expect(parse(bytes('"\\ud83d\\ude00"'))).toBe('😀');
    expect(() => parse(bytes(`{"${'n'.repeat(65_536)}":1}`))).not.toThrow();
  });

  it.each([
    [[0x22, 0xff, 0x22], 1],
    [[0x22, 0xc3, 0x28, 0x22], 2],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 2],
    [[0x22, 0xc0, 0xaf, 0x22], 1],
    [[0x22, 0xe2, 0x82], 3],
  ])('refuses bytes that are not UTF-8: %j', (source, position) => {
    expect(reason(Uint8Array.from(source))).toEqual(['invalid_utf8', position]);
  });

  it('finds the first byte that is not UTF-8 in long texts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom('a', 'é', '€', '😀'), (count, character) => {
        const start = bytes(`"${character.repeat(count)}`);
        const source = Uint8Array.from([...start, 0xff, 0x22]);
        expect(reason(source)).toEqual(['invalid_utf8', start.length]);
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  it('refuses a byte order mark', () => {
    expect(reason(Uint8Array.from([0xef, 0xbb, 0xbf, 0x31]))).toEqual(['byte_order_mark', 0]);
  });

  it('keeps names such as __proto__ as own names and leaves prototypes alone', () => {
    const value = parse('{"__proto__":{"admin":true},"constructor":1,"toString":2}') as Record<string, unknown>;
    expect(ownKeys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('admin' in value).toBe(false);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('says nothing of the text in its messages', () => {
    expect(() => parse('{"secret":1,"secret":2}')).toThrow(/^(?!.*secret)/);
  });
});

describe('order', () => {
  it('brings every object back as it was sent, whatever its names', () => {
    const name = fc.oneof(
      fc.string(),
      fc.nat(20).map(String),
      fc.constantFrom('__proto__', 'constructor', '4294967295'),
    );
    const flat = fc.uniqueArray(fc.tuple(name, fc.jsonValue({ maxDepth: 1 })), { selector: ([key]) => key });
    fc.assert(
      fc.property(flat, (entries) => {
        const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const text = `{"o":[{${members.join(',')}}]}`;
        fc.pre(entries.every(([, value]) => JSON.stringify(parse(JSON.stringify(value))) === JSON.stringify(value)));
        expect(stringify(parse(bytes(text)))).toBe(text);
        expect(stringify({ o: [orderedObject(entries)] })).toBe(text);
      }),
      { numRuns: 3000, seed: 5 },
    );
  });

  it('follows later changes of an object', () => {
    const value = orderedObject([
      ['10', 'a'],
      ['9', 'b'],
    ]);
    value['8'] = 'c';
    delete value['10'];
    expect(ownEntries(value)).toEqual([
      ['9', 'b'],
      ['8', 'c'],
    ]);
  });
});

describe('stringify', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(stringify(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 2000, seed: 2 },
    );
    const odd = { a: undefined, b: [undefined], c: new Date(0), d: Number.NaN, e: () => 1 };
    expect(stringify(odd)).toBe(JSON.stringify(odd));
  });
});
