import { ownKeys } from './order.js';

const member = (name: string, value: unknown): string | undefined => {
  const text = write(value);
  return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
};

function write(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON());
  if (Array.isArray(value)) return `[${value.map((element) => write(element) ?? 'null').join(',')}]`;
  const members: string[] = [];
  for (const name of ownKeys(value)) {
    const text = member(name, (value as Record<string, unknown>)[name]);
    if (text !== undefined) members.push(text);
  }
  return `{${members.join(',')}}`;
}

/** JSON as `JSON.stringify` writes it, but with the names of every object in the order given. */
export const stringify = (value: unknown): string => write(value) ?? 'null';
