import type { JsonValue, Question } from '@assay/inference';

/** A labelled typed question, as one line of a data file holds it; absent fields are null there. */
export interface Example {
  readonly dataset: string;
  readonly licence: string;
  readonly source: string;
  readonly split: string;
  readonly group: string;
  readonly state: JsonValue;
  readonly instructions: string | null;
  readonly type: Question['type'];
  readonly criteria: { readonly [name: string]: string | null } | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly answer: string | number | boolean;
}

const TYPES: ReadonlySet<string> = new Set<Question['type']>(['choice', 'truth', 'score', 'number']);

export class ExampleError extends Error {
  constructor(where: string, reason: string) {
    super(`${where}: ${reason}`);
    this.name = 'ExampleError';
  }
}

export function parseExample(line: string, where: string): Example {
  const example = JSON.parse(line) as Example;
  if (!TYPES.has(example.type)) throw new ExampleError(where, `unknown question type ${String(example.type)}`);
  const expected = { choice: 'string', truth: 'boolean', score: 'number', number: 'number' }[example.type];
  if (typeof example.answer !== expected)
    throw new ExampleError(where, `a ${example.type} answer must be a ${expected}`);
  if (example.type === 'choice' && !Object.hasOwn(example.criteria ?? {}, String(example.answer)))
    throw new ExampleError(where, 'the answer is not one of the options');
  if (example.type === 'number' && (example.min === null || example.max === null))
    throw new ExampleError(where, 'a number question needs min and max');
  return example;
}

/** The question as a caller of the service would ask it: absent fields left out. */
export function questionOf(example: Example): Question {
  const instructions = example.instructions === null ? {} : { instructions: example.instructions };
  switch (example.type) {
    case 'choice':
      return { type: 'choice', ...instructions, criteria: example.criteria ?? {} };
    case 'truth':
      return { type: 'truth', ...instructions, ...(example.criteria === null ? {} : { criteria: example.criteria }) };
    case 'score':
      return { type: 'score', ...instructions, ...(example.criteria === null ? {} : { criteria: example.criteria }) };
    case 'number':
      return {
        type: 'number',
        ...instructions,
        min: example.min ?? 0,
        max: example.max ?? 0,
        ...(example.step === null ? {} : { step: example.step }),
      };
  }
}

/** What can be answered, as the answer names it. A truth question has one statement: that it is true. */
export function candidateNames(example: Example): string[] {
  switch (example.type) {
    case 'truth':
      return ['true'];
    case 'number': {
      const { min, max, step } = { min: example.min ?? 0, max: example.max ?? 0, step: example.step ?? 1 };
      const steps = Math.floor((max - min) / step + 1e-9);
      return Array.from({ length: steps + 1 }, (_, k) => String(Number((min + k * step).toPrecision(12))));
    }
    case 'score':
      return example.criteria === null ? ['1', '2', '3', '4', '5'] : Object.keys(example.criteria);
    case 'choice':
      return Object.keys(example.criteria ?? {});
  }
}
