import fc from 'fast-check';
import { conforms } from '../conformity/oracle.js';
import { operations } from '../generated/operations.js';
import * as validators from '../generated/zod.gen.js';
import { JsonError, parse } from '../json/parse.js';
import { echo, jsonDetail, toDetail } from './detail.js';

function detail(sent: unknown, schema: Parameters<typeof toDetail>[1] = operations.decide.body) {
  const result = (schema as typeof operations.decide.body).safeParse(sent);
  return result.success ? [] : toDetail(result.error, schema, sent);
}

const locations = (sent: unknown, schema?: Parameters<typeof toDetail>[1]) =>
  detail(sent, schema).map(({ type, loc }) => [type, ...loc]);

const base = { model: 'assay-1.0', state: 'x' };
const asking = (question: unknown) => ({ ...base, questions: { a: question } });

describe('toDetail', () => {
  it('lists every invalid field at once', () => {
    const sent = {
      model: 3,
      questions: { a: { type: 'choice' }, b: { type: 'number', min: 2, max: 1 }, c: { type: 'truth', critera: {} } },
      images: [{ id: 'x'.repeat(65) }],
      stat: 'x',
    };
    expect(locations(sent)).toEqual([
      ['string_type', 'body', 'model'],
      ['missing', 'body', 'questions', 'a', 'choice', 'criteria'],
      ['value_error', 'body', 'questions', 'b', 'number'],
      ['extra_forbidden', 'body', 'questions', 'c', 'truth', 'critera'],
      ['string_too_long', 'body', 'images', 0, 'id'],
      ['value_error', 'body', 'images', 0],
      ['extra_forbidden', 'body', 'stat'],
    ]);
  });

  it.each([
    [asking({ type: 'choice', criteria: {} }), 'too_short', ['a', 'choice', 'criteria']],
    [asking({ type: 'choice', criteria: { x: 1 } }), 'string_type', ['a', 'choice', 'criteria', 'x']],
    [asking({ type: 'choice', criteria: [] }), 'object_type', ['a', 'choice', 'criteria']],
    [asking({ type: 'choice', criteria: null }), 'object_type', ['a', 'choice', 'criteria']],
    [asking({ type: 'score', criteria: { '1': 'a' } }), 'too_short', ['a', 'score', 'criteria']],
    [
      asking({ type: 'score', criteria: { '1.5': 'a', '2': 'b' } }),
      'string_pattern_mismatch',
      ['a', 'score', 'criteria', '1.5'],
    ],
    [asking({ type: 'truth', criteria: { yes: 'a' } }), 'extra_forbidden', ['a', 'truth', 'criteria', 'yes']],
    [asking({ type: 'number', min: '1', max: 2 }), 'float_type', ['a', 'number', 'min']],
    [asking({ type: 'number', max: 2 }), 'missing', ['a', 'number', 'min']],
    [asking({ type: 'rank' }), 'union_tag_invalid', ['a']],
    [asking({ instructions: 'x' }), 'union_tag_not_found', ['a']],
    [asking('x'), 'object_type', ['a']],
    [asking(null), 'object_type', ['a']],
  ])('names the question and its type: %j', (sent, type, where) => {
    expect(locations(sent)).toEqual([[type, 'body', 'questions', ...where]]);
  });

  it('needs a state or images', () => {
    const questions = { a: { type: 'truth' } };
    expect(locations({ model: 'm', questions })).toEqual([['missing', 'body', 'state']]);
    expect(locations({ model: 'm', questions, images: [{ url: 'u' }] })).toEqual([]);
    expect(locations({ model: 'm', questions, state: 7 })).toEqual([['union_type', 'body', 'state']]);
    expect(locations({ model: 'm', questions, state: null })).toEqual([['union_type', 'body', 'state']]);
  });

  it('takes exactly one source of an image', () => {
    const image = (sent: unknown) => locations({ ...asking({ type: 'truth' }), images: [sent] });
    expect(image({ url: 'u' })).toEqual([]);
    expect(image({})).toEqual([['value_error', 'body', 'images', 0]]);
    expect(image({ url: 'u', data: 'd' })).toEqual([['value_error', 'body', 'images', 0]]);
  });

  it('answers for the body as a whole', () => {
    for (const sent of [null, [], 'x', 1]) expect(locations(sent)).toEqual([['object_type', 'body']]);
  });

  it('gives metadata its own entries', () => {
    const enrol = (metadata: unknown) =>
      locations({ image: { url: 'u' }, reference: 'r', metadata }, operations.enrollItem.body);
    expect(enrol({ a: null, B: 1, c: 'x'.repeat(501), d: 1e15, e: 1e-7, f: [], ok: 0 })).toEqual([
      ['value_error', 'body', 'metadata', 'a'],
      ['value_error', 'body', 'metadata', 'B'],
      ['value_error', 'body', 'metadata', 'c'],
      ['value_error', 'body', 'metadata', 'd'],
      ['value_error', 'body', 'metadata', 'e'],
      ['value_error', 'body', 'metadata', 'f'],
    ]);
    const large = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, 'x'.repeat(450)]));
    expect(enrol(large)).toEqual([['value_error', 'body', 'metadata']]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, index]));
    expect(enrol(many)).toEqual([['value_error', 'body', 'metadata']]);
    expect(enrol([])).toEqual([['value_error', 'body', 'metadata']]);
    expect(enrol(parse('{"__proto__":1}'))).toEqual([]);
    expect(enrol(parse('{"__proto__":{}}'))).toEqual([['value_error', 'body', 'metadata', '__proto__']]);
  });

  it('keeps names such as __proto__ and 10, in the order sent', () => {
    const sent = parse(
      '{"model":"m","state":"s","questions":{"z":{"type":"truth"},"10":{"type":"rank"},"9":{"type":"truth"},"__proto__":{"type":"choice","criteria":{}}}}',
    );
    expect(locations(sent)).toEqual([
      ['union_tag_invalid', 'body', 'questions', '10'],
      ['too_short', 'body', 'questions', '__proto__', 'choice', 'criteria'],
    ]);
  });

  it('has no field beyond type, loc, msg and input, and conforms to the contract', () => {
    const junk = fc.jsonValue({ maxDepth: 4 });
    const question = fc.oneof(
      junk,
      fc.record({ type: fc.constantFrom('choice', 'score', 'truth', 'number', 'rank'), criteria: junk, min: junk }),
    );
    const sent = fc.record({ model: junk, state: junk, questions: fc.dictionary(fc.string(), question), images: junk });
    fc.assert(
      fc.property(sent, (body) => {
        for (const entry of detail(body)) {
          expect(conforms('ValidationEntry', entry)).toBe(true);
          expect(JSON.stringify(entry.input).length).toBeLessThan(600);
        }
      }),
      { numRuns: 500, seed: 9 },
    );
  });
});

describe('echo', () => {
  it('cuts strings to 64 characters and never gives objects or arrays back', () => {
    expect(echo('x'.repeat(65))).toBe('x'.repeat(64));
    expect(echo('😀'.repeat(65))).toBe('😀'.repeat(64));
    expect([echo({ a: 1 }), echo([1]), echo(null), echo(undefined)]).toEqual([null, null, null, null]);
    expect([echo(1.5), echo(false), echo('x')]).toEqual([1.5, false, 'x']);
  });
});

describe('jsonDetail', () => {
  it('says where the text stops being JSON', () => {
    const entries = jsonDetail(new JsonError('syntax', 'Expected a value, at character 5', 5));
    expect(entries).toEqual([
      { type: 'json_invalid', loc: ['body', 5], msg: 'Invalid JSON: Expected a value, at character 5', input: null },
    ]);
    expect(validators.zValidationDetail.safeParse(entries).success).toBe(true);
  });
});
