import { Broken } from './check.js';
import { isObject, type JsonObject, type Reply } from './wire/reply.js';

export function claim(kept: boolean, what: string): asserts kept {
  if (!kept) throw new Broken(what);
}

export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
};

export function same(actual: unknown, expected: unknown, what: string): void {
  claim(JSON.stringify(actual) === JSON.stringify(expected), `${what} is ${shown(actual)}, not ${shown(expected)}`);
}

export function object(value: unknown, what: string): JsonObject {
  claim(isObject(value), `${what} is ${shown(value)}, not an object`);
  return value;
}

export function list(value: unknown, what: string): readonly unknown[] {
  claim(Array.isArray(value), `${what} is ${shown(value)}, not a list`);
  return value;
}

export function number(value: unknown, what: string): number {
  claim(typeof value === 'number', `${what} is ${shown(value)}, not a number`);
  return value;
}

export function text(value: unknown, what: string): string {
  claim(typeof value === 'string', `${what} is ${shown(value)}, not a text`);
  return value;
}

/** Exactly these names, in any order. */
export function names(value: JsonObject, expected: readonly string[], what: string): void {
  same(Object.keys(value).sort(), [...expected].sort(), `the set of names of ${what}`);
}

export function status(reply: Reply, expected: number): void {
  claim(reply.status === expected, `the status is ${reply.status}, not ${expected}`);
}

/** An error whose `detail` is an object with `error_type` and `message`, and nothing that the caller may not know. */
export function refusal(reply: Reply, expected: number, errorType: string): JsonObject {
  status(reply, expected);
  const detail = object(reply.detail, 'detail');
  same(detail['error_type'], errorType, 'error_type');
  claim(text(detail['message'], 'message').length > 0, 'the message is empty');
  const known = new Set(['error_type', 'message', 'details']);
  const strange = Object.keys(detail).filter((name) => !known.has(name));
  claim(strange.length === 0, `detail also has ${strange.join(', ')}`);
  names(object(reply.json, 'the body'), ['detail'], 'the body');
  return detail;
}

export interface Entry {
  readonly type: string;
  readonly loc: readonly unknown[];
  readonly msg: string;
  readonly input: unknown;
}

/** The entries of a 422, each with the four names of the document. */
export function entries(reply: Reply): readonly Entry[] {
  status(reply, 422);
  return list(reply.detail, 'detail').map((value) => {
    const entry = object(value, 'an entry of detail');
    names(entry, ['type', 'loc', 'msg', 'input'], 'an entry of detail');
    return {
      type: text(entry['type'], 'type'),
      loc: list(entry['loc'], 'loc'),
      msg: text(entry['msg'], 'msg'),
      input: entry['input'],
    };
  });
}

/** The entry at a place of the body, which must be listed. */
export function entryAt(found: readonly Entry[], loc: readonly (string | number)[]): Entry {
  const entry = found.find((candidate) => JSON.stringify(candidate.loc) === JSON.stringify(loc));
  claim(entry !== undefined, `no entry at ${shown(loc)}, but at ${shown(found.map((each) => each.loc))}`);
  return entry;
}

/** At most `places` decimals. */
export function rounded(value: number, places: number, what: string): void {
  claim(Number(value.toFixed(places)) === value, `${what} is ${value}, which has more than ${places} decimals`);
}

export function probability(value: unknown, places: number, what: string): number {
  const found = number(value, what);
  claim(found >= 0 && found <= 1, `${what} is ${found}, outside 0 to 1`);
  rounded(found, places, what);
  return found;
}
