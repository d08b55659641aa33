import { randomRequests, shuffledOptions } from '../../../../../packages/inference/src/testing/random-requests.js';
import { mulberry } from '../../../../../packages/inference/src/testing/tiny-bundle.js';

type Mixed = ReturnType<typeof randomRequests>[number];

/** Names that an object of JavaScript moves, hides or takes for its own. */
const TREACHEROUS = ['__proto__', '10', '9', 'constructor', 'toString', '-1'];

const isNamed = (value: unknown): value is ReadonlyMap<string, unknown> => value instanceof Map;

/** JSON that keeps the order of a Map, which an object cannot for names such as `10`. */
export function written(value: unknown): string {
  if (isNamed(value))
    return `{${Array.from(value, ([name, held]) => `${JSON.stringify(name)}:${written(held)}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return written(new Map(Object.entries(value).filter(([, held]) => held !== undefined)));
}

/** Requests of all types and lengths with text, objects and arrays for a state; every other one has treacherous names. */
export function mixedRequests(seed: number, count: number): Mixed[] {
  return randomRequests(seed, count).map((request, at) => (at % 2 === 0 ? request : treacherous(request)));
}

/** The same request with its questions and their options in another order. */
export const reordered = (request: Mixed, seed: number): Mixed => shuffledOptions(request, mulberry(seed));

/** Every question of a request, alone with the same state. */
export const oneByOne = (request: Mixed): [string, Mixed][] =>
  Array.from(request.questions as ReadonlyMap<string, never>, ([name, question]) => [
    name,
    { ...request, questions: new Map([[name, question]]) },
  ]);

function treacherous(request: Mixed): Mixed {
  const questions = request.questions as ReadonlyMap<string, { readonly type: string; readonly criteria?: unknown }>;
  const renamed = Array.from(questions.values(), (question, at): [string, unknown] => [
    TREACHEROUS[at % TREACHEROUS.length]!,
    question.type === 'choice' && isNamed(question.criteria)
      ? { ...question, criteria: renamedOptions(question.criteria) }
      : question,
  ]);
  return { ...request, questions: new Map(renamed) } as Mixed;
}

const renamedOptions = (options: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map(Array.from(options, ([name, description], at) => [TREACHEROUS[at] ?? name, description]));
