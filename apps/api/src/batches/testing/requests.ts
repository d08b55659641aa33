import { orderedObject } from '@assay/contract';

const WORDS = [
  'parcel',
  'late',
  'invoice',
  'thanks',
  'broken',
  'refund',
  'where',
  'order',
  'never',
  'again',
  'ü',
  '漢字',
];

/** Numbers that look random and are the same every time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Decide bodies of every kind: all question types, several to a request, awkward names, states of every shape, and wrong ones. */
export function mixedBodies(count: number, model: string, seed = 1): unknown[] {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const words = () => Array.from({ length: 1 + Math.floor(random() * 30) }, () => pick(WORDS)).join(' ');
  const questions = [
    () => ({ type: 'truth', instructions: words() }),
    () => ({ type: 'truth', criteria: { true: words(), false: null } }),
    () => ({
      type: 'choice',
      criteria: orderedObject([
        ['10', null],
        ['9', words()],
        ['__proto__', null],
        ['b', words()],
      ]),
    }),
    () => ({ type: 'score' }),
    () => ({
      type: 'score',
      criteria: orderedObject([
        ['3', words()],
        ['1', words()],
        ['2', null],
      ]),
    }),
    () => ({ type: 'number', min: 0, max: 20, step: 2 }),
  ];
  const states = [
    words,
    () => ({ text: words(), n: 12.5, deep: [{ a: words() }] }),
    () => [words(), { b: words() }, words()],
  ];
  const wrong = [
    () => ({ model, state: 'x', questions: { q: { type: 'truth' } }, critera: 1 }),
    () => ({ model, questions: { q: { type: 'nothing' } } }),
    () => ({ model: 'no-such-model', state: 'x', questions: { q: { type: 'truth' } } }),
    () => ({ model, state: 'x', questions: { q: { type: 'number', min: 0, max: 300 } } }),
    () => ({
      model,
      state: 'x',
      questions: {
        q: { type: 'score', criteria: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [String(at), null])) },
      },
    }),
    () => ({
      model,
      state: 'x',
      questions: {
        q: { type: 'choice', criteria: Object.fromEntries(Array.from({ length: 256 }, (_, at) => [`o${at}`, null])) },
      },
    }),
    () => 'no object',
    () => null,
  ];
  return Array.from({ length: count }, (_, at) => {
    if (at % 12 === 11) return wrong[Math.floor(at / 12) % wrong.length]!();
    const asked = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      (__, q) => [pick(['q', '10', '__proto__', 'x y']) + q, pick(questions)()] as const,
    );
    return {
      model,
      ...(random() < 0.3 && { instructions: words() }),
      state: pick(states)(),
      questions: orderedObject(asked),
    };
  });
}
