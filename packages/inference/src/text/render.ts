import type { JsonValue } from './json.js';

/** A path longer than this is written from its end, so that deep nesting cannot multiply the text. */
const LONGEST_PATH = 200;

/**
 * A state as the texts that the model reads, in template 1. Every element of an array is a text of its own and
 * never shares a block with another, so that a frame can be dropped without touching its neighbours.
 */
export function renderState(state: JsonValue): string[] {
  if (!Array.isArray(state)) return [renderValue(state)];
  return state.length === 0 ? [''] : state.map(renderValue);
}

/** A text as it is, anything else as lines of `path: value` in the order given. */
function renderValue(value: JsonValue): string {
  if (typeof value === 'string') return value;
  const lines: string[] = [];
  const open: { path: string; value: JsonValue }[] = [{ path: '', value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = members(next.path, next.value);
    if (inner === undefined || inner.length === 0) lines.push(line(next.path, next.value));
    else for (const member of inner.reverse()) open.push(member);
  }
  return lines.join('\n');
}

function members(path: string, value: JsonValue): { path: string; value: JsonValue }[] | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return value.map((element, index) => ({ path: `${path}[${index}]`, value: element }));
  return Object.entries(value).map(([name, member]) => ({
    path: path === '' ? readable(name) : `${path}.${readable(name)}`,
    value: member,
  }));
}

function line(path: string, value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (path === '') return text;
  return `${path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path}: ${text}`;
}

/** `total_amount` and `total amount` read the same to the model; the second costs fewer pieces. */
export function readable(name: string): string {
  return name.replace(/(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu, ' ');
}
