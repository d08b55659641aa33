import type { DecideInput } from '../engine/engine.js';
import { entries } from '../questions/named.js';
import type { Question } from '../questions/question.js';
import type { JsonValue } from '../text/json.js';
import { mulberry } from './tiny-bundle.js';

const WORDS =
  'invoice paid late refund card lost urgent order 42 3.50 the of [SEP] customer, wrote: "no" München'.split(' ');

/** Mixed requests that are the same for the same seed: all types, texts and JSON, short and of several blocks. */
export function randomRequests(seed: number, count: number): DecideInput[] {
  const random = mulberry(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const words = (most: number) => Array.from({ length: 1 + below(most) }, () => WORDS[below(WORDS.length)]!).join(' ');
  const longest = () => (below(8) === 0 ? 400 : 60);
  const states: (() => JsonValue)[] = [
    () => words(longest()),
    () => ({ text: words(40), order_id: below(1000), items: [{ price: below(100) / 4, __proto__: null }, words(5)] }),
    () => Array.from({ length: 1 + below(5) }, () => (below(2) === 0 ? words(longest()) : { note: words(20) })),
  ];
  const options = (most: number) =>
    new Map(
      Array.from({ length: 2 + below(most) }, (_, index) => [`${words(3)} ${index}`, below(2) ? words(12) : null]),
    );
  const kinds: (() => Question)[] = [
    () => ({ type: 'choice', instructions: words(12), criteria: options(8) }),
    () => ({ type: 'choice', instructions: words(200), criteria: options(3) }),
    () => ({ type: 'truth', instructions: words(20) }),
    () => ({ type: 'truth', instructions: words(10), criteria: { true: words(8), false: words(8) } }),
    () => ({ type: 'score', instructions: words(10) }),
    () => ({
      type: 'score',
      instructions: words(10),
      criteria: new Map([
        ['3', words(4)],
        ['1', null],
        ['2', words(9)],
      ]),
    }),
    () => ({ type: 'number', instructions: words(10), min: below(5), max: 5 + below(20) }),
  ];
  return Array.from({ length: count }, () => ({
    instructions: below(3) === 0 ? words(30) : undefined,
    state: states[below(states.length)]!(),
    questions: new Map(
      Array.from({ length: 1 + below(4) }, (_, index) => [`q${index}`, kinds[below(kinds.length)]!()]),
    ),
  }));
}

export function shuffledOptions(request: DecideInput, random: () => number): DecideInput {
  const questions = entries(request.questions).map(([name, question]): [string, Question] => {
    if ((question.type !== 'choice' && question.type !== 'score') || !question.criteria) return [name, question];
    return [name, { ...question, criteria: new Map(shuffled(entries<string | null>(question.criteria), random)) }];
  });
  return { ...request, questions: new Map(shuffled(questions, random)) };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
