import type { Question } from '@assay/inference';

/** What both sides are asked: plain JSON, so that it can be a body and an engine's input alike. */
export interface Asked {
  readonly state: string | { readonly [name: string]: string | number };
  readonly questions: { readonly [name: string]: Question };
}

const SENTENCES = [
  'I ordered the card last week and it still has not come.',
  'Nobody answers the telephone, and the tracking page says nothing.',
  'Please tell me by tomorrow whether I get my money back.',
  'Everything else was fine, the shop was friendly and quick.',
  'My account shows two payments for the same order.',
  'The new one has another colour than in the picture.',
];

export function sentences(count: number, from = 0): string {
  return Array.from({ length: count }, (_, at) => SENTENCES[(from + at) % SENTENCES.length]!).join(' ');
}

const URGENT: Question = { type: 'truth', instructions: 'Does this need an answer today?' };
const TOPIC: Question = {
  type: 'choice',
  instructions: 'What is it about?',
  criteria: { delivery: 'Late or lost.', payment: 'Money taken or owed.', praise: null, other: null },
};
const ANGER: Question = { type: 'score', instructions: 'How angry is the customer?' };
const DAYS: Question = { type: 'number', instructions: 'For how many days have they waited?', min: 0, max: 14 };

/** Short texts with one question or two, JSON, and longer texts with several questions, in turns. */
export function mixed(count: number): Asked[] {
  const kinds: ((at: number) => Asked)[] = [
    (at) => ({ state: sentences(3, at), questions: { urgent: URGENT } }),
    (at) => ({ state: sentences(5, at), questions: { urgent: URGENT, topic: TOPIC } }),
    (at) => ({ state: { order: at, amount: 12.5, note: sentences(2, at) }, questions: { topic: TOPIC } }),
    (at) => ({ state: sentences(30, at), questions: { topic: TOPIC, anger: ANGER, days: DAYS } }),
  ];
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]!(at));
}
