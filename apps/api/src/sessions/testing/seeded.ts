import { mulberry } from '../../../../../packages/inference/src/testing/tiny-bundle.js';

const WORDS =
  'parcel late refund card lost urgent order 42 3.50 the of [SEP] customer, wrote: "no" München now? thanks'.split(' ');

export type Fields = Record<string, unknown>;

export interface SeededFrame {
  readonly frame: string | Fields;
  readonly questions?: string[];
  readonly reset?: boolean;
}

export interface SeededSession {
  readonly fixed: Fields & { questions: Record<string, Fields>; state?: unknown };
  readonly window: number;
  readonly frames: readonly SeededFrame[];
}

/** A session and its frames that are the same for the same seed. */
export function seededSession(seed: number): SeededSession {
  const random = mulberry(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const words = (most: number) => Array.from({ length: 1 + below(most) }, () => WORDS[below(WORDS.length)]).join(' ');
  const thing = (): string | Fields =>
    below(3) > 0
      ? words(30)
      : { speaker: words(2), text: words(20), ['__proto__']: null, 10: below(9), nested: [[words(3)], below(50) / 4] };
  const states = [
    undefined,
    '',
    [],
    words(200),
    { account: words(5), items: [1, { price: 2.5 }] },
    [words(60), { n: 1 }, [words(4)]],
  ];
  const kinds: (() => Fields)[] = [
    () => ({ type: 'truth', instructions: words(20) }),
    () => ({ type: 'truth', instructions: words(8), criteria: { true: words(8), false: words(8) } }),
    () => ({ type: 'choice', instructions: words(12), criteria: { '10': words(4), '9': null, [words(3)]: words(6) } }),
    () => ({ type: 'choice', instructions: words(350), criteria: { yes: null, no: null } }),
    () => ({ type: 'score', instructions: words(10) }),
    () => ({ type: 'number', instructions: words(10), min: below(5), max: 5 + below(20) }),
  ];
  const names = ['constructor', '10', '2', 'mood', 'topic'].slice(0, 1 + below(5));
  const state = states[below(states.length)];
  return {
    fixed: {
      ...(below(2) === 0 && { instructions: words(40) }),
      ...(state !== undefined && { state }),
      questions: Object.fromEntries(names.map((name) => [name, kinds[below(kinds.length)]!()])),
    },
    window: 1 + below(5),
    frames: Array.from({ length: 3 + below(6) }, () => ({
      frame: thing(),
      ...(below(3) === 0 && { questions: names.filter((_, index) => index === 0 || below(2) === 0).reverse() }),
      ...(below(5) === 0 && { reset: true }),
    })),
  };
}
