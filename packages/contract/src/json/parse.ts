import { JsonError } from './error.js';
import { rememberOrder, setOwn } from './order.js';
import { decodeUtf8 } from './utf8.js';

export { JsonError, type JsonErrorReason } from './error.js';

export interface ParseLimits {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Characters of a name. */
  readonly name: number;
  /** Characters of a number. */
  readonly number: number;
}

const LIMITS: ParseLimits = { depth: 64, name: 65_536, number: 128 };

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Characters of a string up to its end, an escape, or a character that must be escaped. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly limits: ParseLimits,
  ) {}

  document(): unknown {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) throw this.error('trailing_data', 'There is more after the value');
    return value;
  }

  private error(reason: JsonError['reason'], message: string, at = this.at): JsonError {
    return new JsonError(reason, `${message}, at character ${at}`, at);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private space(): void {
    const code = this.text.charCodeAt(this.at);
    if (code <= 0x20) this.match(SPACE);
  }

  private take(character: string): boolean {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private expect(character: string, what: string): void {
    if (!this.take(character)) throw this.error('syntax', `Expected ${what}`);
  }

  private value(): unknown {
    this.space();
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === '{') return this.nested(() => this.object());
    if (first === '[') return this.nested(() => this.array());
    if (first === '-' || (first !== undefined && first >= '0' && first <= '9')) return this.number();
    const word = WORDS.find(([spelling]) => this.text.startsWith(spelling, this.at));
    if (!word) throw this.error('syntax', 'Expected a value');
    this.at += word[0].length;
    return word[1];
  }

  private nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > this.limits.depth) throw this.error('too_deep', `More than ${this.limits.depth} levels`);
    this.at += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  private array(): unknown[] {
    const elements: unknown[] = [];
    if (this.take(']')) return elements;
    do elements.push(this.value());
    while (this.take(','));
    this.expect(']', "',' or ']'");
    return elements;
  }

  private object(): object {
    const target = {};
    const names: string[] = [];
    if (this.take('}')) return target;
    do names.push(this.member(target));
    while (this.take(','));
    this.expect('}', "',' or '}'");
    rememberOrder(target, names);
    return target;
  }

  private member(target: object): string {
    this.space();
    const start = this.at;
    if (this.text[start] !== '"') throw this.error('syntax', 'Expected a name in double quotes');
    const name = this.string();
    if (name.length > this.limits.name) {
      throw this.error('name_too_long', `A name has more than ${this.limits.name} characters`, start);
    }
    if (Object.hasOwn(target, name)) throw this.error('duplicate_name', 'A name occurs twice in an object', start);
    this.expect(':', "':'");
    setOwn(target, name, this.value());
    return name;
  }

  private number(): number {
    const start = this.at;
    const digits = this.match(NUMBER);
    if (digits === '') throw this.error('syntax', 'Expected a number', start);
    if (digits.length > this.limits.number) {
      throw this.error('number_too_long', `A number has more than ${this.limits.number} characters`, start);
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) throw this.error('number_out_of_range', 'A number is out of range', start);
    return value;
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    let value = this.match(PLAIN);
    let escaped = false;
    while (this.text[this.at] === '\\') {
      escaped = true;
      this.at += 1;
      value += this.escape() + this.match(PLAIN);
    }
    if (this.text[this.at] !== '"') {
      const missing = this.at >= this.text.length;
      throw this.error('syntax', missing ? 'A string does not end' : 'A control character must be escaped');
    }
    this.at += 1;
    // Text decoded from UTF-8 has no lone surrogates; only an escape can make one, and no UTF-8 could give it back.
    if (escaped && !value.isWellFormed()) {
      throw this.error('lone_surrogate', 'A string holds half of a surrogate pair', start);
    }
    return value;
  }

  private escape(): string {
    const letter = this.text[this.at] ?? '';
    this.at += 1;
    if (letter !== 'u') {
      const character = ESCAPES[letter];
      if (character === undefined) throw this.error('syntax', 'An escape is not known', this.at - 1);
      return character;
    }
    const hex = this.match(HEX);
    if (hex === '') throw this.error('syntax', 'An escape needs four hex digits');
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
}

/**
 * The value of JSON text, read strictly: UTF-8 without a byte order mark, no name twice in an object, limited depth, nothing
 * after the value. Every name is kept as the object's own, `__proto__` included, and `ownKeys` gives names in the order sent.
 */
export function parse(source: Uint8Array | string, limits: Partial<ParseLimits> = {}): unknown {
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  return new Reader(text, { ...LIMITS, ...limits }).document();
}
