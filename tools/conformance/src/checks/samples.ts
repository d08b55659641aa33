import type { Questions } from '../probe.js';

export const STATE = 'Where is my parcel? I ordered it two weeks ago and I need it today!';

export const TRUTH = { type: 'truth', instructions: 'Does the customer need an answer today?' } as const;

export const CHOICE = {
  type: 'choice',
  instructions: 'What is the message about?',
  criteria: { delivery: 'where a parcel is', billing: 'money or invoices', praise: null },
} as const;

export const SCORE = {
  type: 'score',
  instructions: 'How impatient is the customer?',
  criteria: { '1': 'calm', '2': 'waiting', '3': 'impatient' },
} as const;

export const NUMBER = { type: 'number', instructions: 'How many weeks ago was the order?', min: 0, max: 8 } as const;

/** One that can be answered from what is read in a picture. */
export const FACES = { type: 'number', instructions: 'How many faces are in the picture?', min: 0, max: 9 } as const;

/** One question of each type. */
export const ALL_TYPES: Questions = { urgent: TRUTH, topic: CHOICE, mood: SCORE, weeks: NUMBER };

export const options = (count: number): { [name: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`option ${n}`, `number ${n} of the list`]));

export const levels = (count: number): { [level: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n + 1), `step ${n + 1}`]));

/** Paths that need a key, with a method that they take. */
export const KEYED_CALLS = [
  { method: 'POST', path: '/v1/decide', json: { model: 'any', state: 'a', questions: { q: { type: 'truth' } } } },
  { method: 'GET', path: '/v1/models' },
  { method: 'POST', path: '/v1/uploads', body: 'not read', headers: { 'content-type': 'image/png' } },
] as const;

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
