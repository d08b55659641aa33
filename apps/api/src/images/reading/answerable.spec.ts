import { expect, test } from '@jest/globals';
import { isAnswerableFromFaces } from './answerable.js';

const asked = (instructions: string, ...criteria: string[]) => ({ instructions, criteria });

test.each([
  ['How many faces are there?'],
  ['Is anyone in the picture?'],
  ['Is nobody’s face visible in the first image?'],
  ['Is the largest face on the left?'],
  ['Are there more than 3 people in this photo?'],
  ['Where is the person?', 'left', 'right', 'in the middle'],
  ['How many people?', '1', 'exactly two', '3 or more'],
])('"%s" can be answered from faces', (instructions, ...criteria) => {
  expect(isAnswerableFromFaces(asked(instructions, ...criteria), false)).toBe(true);
});

test.each([
  ['Is there a cat?'],
  ['Is the person a woman?'],
  ['How old is the person?'],
  ['Is the person happy?'],
  ['Is somebody holding a knife?'],
  ['Is the person', 'armed', 'unarmed'],
  ['What does the person wear?'],
  ['Is everyone wearing a helmet?'],
  ['Does the customer need an answer today?'],
  ['Is it urgent?'],
  ['How many are there?'],
  ['Wie viele Gesichter sind da?'],
  [''],
])('"%s" cannot, with collections or without', (instructions, ...criteria) => {
  expect(isAnswerableFromFaces(asked(instructions, ...criteria), false)).toBe(false);
  expect(isAnswerableFromFaces(asked(instructions, ...criteria), true)).toBe(false);
});

test.each([
  ['Who is it?'],
  ['Is this someone we know?'],
  ['Is Ada Lovelace in the picture?'],
  ['Is the person one of our staff?'],
  ['Who is on the left?', 'Ada Lovelace', 'Grace Hopper', 'nobody'],
  ['Whose face is this?', 'staff:0042', 'a stranger'],
])('"%s" needs collections that are searched', (instructions, ...criteria) => {
  expect(isAnswerableFromFaces(asked(instructions, ...criteria), false)).toBe(false);
  expect(isAnswerableFromFaces(asked(instructions, ...criteria), true)).toBe(true);
});

test('options that look like names are none when nobody is asked for', () => {
  expect(isAnswerableFromFaces(asked('Is the person', 'Armed', 'Unarmed'), true)).toBe(false);
});
