import fc from 'fast-check';
import type * as z from 'zod';
import * as validators from '../generated/zod.gen.js';
import { schemas } from './document.js';
import { conforms, faults } from './oracle.js';

const byName = validators as unknown as Readonly<Record<string, z.ZodType>>;

/** Payloads near the edges, for the schemas whose examples leave much out. */
const SEEDS: Readonly<Record<string, readonly unknown[]>> = {
  DecideRequest: [
    {
      model: 'm',
      instructions: null,
      state: [{ a: [1] }, 'b'],
      questions: {
        a: { type: 'choice', instructions: 'which?', criteria: { x: null, y: 'why' } },
        b: { type: 'score', criteria: { '1': null, '-2': 'low' } },
        c: { type: 'truth', criteria: { true: 'yes', false: null } },
        d: { type: 'number', min: -1, max: 5.5, step: 2 },
        e: { type: 'score', criteria: null },
      },
      images: [
        { id: 'i', url: 'https://example.com/a.png' },
        { data: 'aGk=' },
        { upload_id: 'upl_1', media_type: null },
      ],
      collections: ['col_1'],
    },
  ],
  Frame: [{ seq: 0, frame: { image: {} }, questions: ['a', 'b'], reset: true }],
  Item: [],
};

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

function* paths(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    yield* paths(child, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

const names = fc.constantFrom(
  'a',
  '',
  'type',
  'url',
  'data',
  'images',
  'state',
  '1',
  '-2',
  'x y',
  '__proto__',
  'constructor',
);
const values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2,
    64,
    1e15,
    1e-7,
    -1e14,
    2 ** 53,
    '',
    'x',
    '1',
    '\u200b',
    '😀',
  ),
  fc.constantFrom<unknown>(
    'choice',
    'truth',
    'number',
    '2026-11-20T12:00:00Z',
    '2026-02-30T00:00:00Z',
    'a'.repeat(65),
    '😀'.repeat(64),
  ),
  fc.constantFrom<unknown>([], {}, [1], ['a', 'a'], { a: 1 }, { x: null }, { type: 'truth' }, { url: 'u', data: 'd' }),
  fc.jsonValue({ maxDepth: 2 }),
);
const edit = fc.record({
  at: fc.nat(10_000),
  action: fc.constantFrom('remove', 'replace', 'add'),
  name: names,
  value: values,
});

interface Edit {
  readonly at: number;
  readonly action: string;
  readonly name: string;
  readonly value: unknown;
}

const setOwn = (target: object, name: string | number, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });

function edited(seed: unknown, { at, action, name, value }: Edit): unknown {
  const copy: { root: unknown } = { root: structuredClone(seed) };
  const all = [...paths(copy.root)];
  const path: Path = ['root', ...(all[at % all.length] ?? [])];
  const parent = path.slice(0, -1).reduce<Container>((node, step) => node[step] as Container, copy);
  const last = path.at(-1) ?? 'root';
  const target = parent[last];
  if (action === 'add' && typeof target === 'object' && target !== null) {
    if (Array.isArray(target)) target.push(value);
    else setOwn(target, name, value);
  } else if (action === 'remove' && path.length > 1) {
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
  } else {
    setOwn(parent, last, value);
  }
  return copy.root;
}

const generated = Object.keys(schemas).filter((name) => `z${name}` in byName);
/** Bytes are no JSON: what an upload holds is never validated as a value. */
const compared = generated.filter((name) => name !== 'PictureBytes');
const RUNS = 700;

describe('generated validators', () => {
  it('exist for every schema', () => {
    expect(Object.keys(schemas).filter((name) => !(`z${name}` in byName))).toEqual([]);
    expect(compared.length * RUNS).toBeGreaterThan(50_000);
  });

  it.each(compared)('%s: say what JSON Schema says', (name) => {
    const seeds = [...(schemas[name]?.examples ?? []), ...(SEEDS[name] ?? [])];
    const validator = byName[`z${name}`]!;
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 3 }), (seed, edits) => {
        const payload = edits.reduce<unknown>(edited, seed);
        const expected = conforms(name, payload);
        const result = validator.safeParse(payload);
        taken += Number(expected);
        if (result.success === expected) return;
        throw new Error(
          `JSON Schema: ${faults(name, payload)}; zod: ${JSON.stringify(result.error?.issues ?? 'valid')}`,
        );
      }),
      { numRuns: RUNS, seed: 42 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});
