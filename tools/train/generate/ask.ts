import type { Question } from '../../../packages/inference/src/questions/question.js';
import type { Random } from './random.js';
import { makeValue, type Thing, type Value } from './record.js';

export type Asked = Question & { readonly answer: string | number | boolean };

/** Questions about one thing; `of` names the thing where there are many. */
export function ask(random: Random, thing: Thing, of = ''): Asked[] {
  const field = random.pick(thing.kind.fields.filter((one) => one.name in thing.values));
  const value = thing.values[field.name]!;
  if (typeof value === 'boolean') return flagPair(random, field.spoken, value, of);
  if (typeof value === 'number' && 'low' in field) {
    if (random.chance(0.4)) return [numberOf(random, field.spoken, value, field.low, field.high, of)];
    return random.chance(0.75) ? boundPair(random, field.spoken, value, of) : [levelOf(field.spoken, value, field, of)];
  }
  let other: Value = value;
  while (other === value) other = makeValue(random, field);
  if (random.chance(0.5) || !('words' in field))
    return equalPair(random, field.spoken, String(value), String(other), of);
  return [optionOf(random, field.spoken, field.words, String(value), of)];
}

const claims = [
  'The $f$o is $v.',
  'Is the $f$o $v?',
  'Is it true that the $f$o is $v?',
  'The state says that the $f$o is $v.',
];
const denials = ['The $f$o is not $v.', 'Is the $f$o something other than $v?', 'It is wrong that the $f$o is $v.'];

function filled(pattern: string, field: string, of: string, value: string): string {
  return pattern
    .replace('$f', field)
    .replace('$o', of && ` of ${of}`)
    .replace('$v', value);
}

/** A true and a false claim about the same state: only what they say tells them apart. */
function equalPair(random: Random, field: string, value: string, other: string, of: string): Asked[] {
  const deny = random.chance(0.3);
  const pattern = random.pick(deny ? denials : claims);
  return [value, other].map((said) => ({
    type: 'truth',
    instructions: filled(pattern, field, of, said),
    answer: (said === value) !== deny,
  }));
}

function flagPair(random: Random, field: string, value: boolean, of: string): Asked[] {
  const subject = of || 'it';
  const [yes, no] = random.pick([
    [`Is ${subject} ${field}?`, `Is ${subject} not ${field}?`],
    [`${subject} is ${field}.`, `${subject} is not ${field}.`],
  ] as const);
  return [
    { type: 'truth', instructions: yes, answer: value },
    { type: 'truth', instructions: no, answer: !value },
  ];
}

function boundPair(random: Random, field: string, value: number, of: string): Asked[] {
  const near = random.chance(0.5) ? random.whole(0, 2) : random.whole(3, 25);
  const pattern = random.pick(['The $f$o is above $v.', 'Is the $f$o more than $v?', 'Does the $f$o exceed $v?']);
  return [value - 1 - near, value + near].map((bound) => ({
    type: 'truth',
    instructions: filled(pattern, field, of, String(bound)),
    answer: value > bound,
  }));
}

function numberOf(random: Random, field: string, value: number, low: number, high: number, of: string): Asked {
  const pattern = random.pick(['What is the $f$o?', 'Give the $f$o.', 'Read off the $f$o.']);
  const min = Math.max(low, value - random.whole(0, 120));
  return {
    type: 'number',
    instructions: filled(pattern, field, of, ''),
    min,
    max: Math.min(high, min + 255),
    answer: value,
  };
}

function levelOf(field: string, value: number, range: { low: number; high: number }, of: string): Asked {
  const [first, second] = [1, 2].map((part) => Math.round(range.low + ((range.high - range.low) * part) / 3));
  const criteria = { '1': `below ${first}`, '2': `from ${first} to ${second}`, '3': `above ${second}` };
  const answer = value < first! ? 1 : value > second! ? 3 : 2;
  return { type: 'score', instructions: filled('Rate the $f$o.', field, of, ''), criteria, answer };
}

function optionOf(random: Random, field: string, words: readonly string[], value: string, of: string): Asked {
  const criteria = Object.fromEntries(random.shuffled(words).map((word) => [word.replaceAll(' ', '_'), null]));
  return {
    type: 'choice',
    instructions: filled('Which $f$o is given?', field, of, ''),
    criteria,
    answer: value.replaceAll(' ', '_'),
  };
}
