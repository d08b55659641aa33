import fc from 'fast-check';
import { softmax } from '../calibration/calibration.js';
import * as choice from './choice.js';
import * as number from './number.js';
import * as score from './score.js';
import * as truth from './truth.js';

const logits = (most: number) =>
  fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { minLength: 2, maxLength: most });
const sum = (probabilities: readonly (readonly [string, number])[]) => probabilities.reduce((all, [, p]) => all + p, 0);
const decimals = (value: number) => String(value).split('.')[1]?.length ?? 0;

describe('answers', () => {
  it('round so that entries still add up to 1 within half a unit of the last place each', () => {
    fc.assert(
      fc.property(logits(255), (raw) => {
        const criteria = Object.fromEntries(raw.map((_, index) => [`option ${index}`, null]));
        const { probabilities, confidence } = choice.answer({ type: 'choice', criteria }, softmax(raw));
        expect(Math.abs(sum(probabilities) - 1)).toBeLessThanOrEqual(raw.length * 0.005 + 1e-9);
        expect(Math.max(...probabilities.map(([, p]) => p))).toBe(confidence);
        expect(Math.max(...probabilities.map(([, p]) => decimals(p)))).toBeLessThanOrEqual(2);
      }),
    );
    fc.assert(
      fc.property(logits(256), (raw) => {
        const question = { type: 'number' as const, min: 0, max: raw.length - 1 };
        const { probabilities } = number.answer(question, softmax(raw));
        expect(Math.abs(sum(probabilities) - 1)).toBeLessThanOrEqual(raw.length * 0.0005 + 1e-9);
        expect(Math.max(...probabilities.map(([, p]) => decimals(p)))).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('choose before rounding', () => {
    const answer = choice.answer({ type: 'choice', criteria: { a: null, b: null, c: null } }, [0.3331, 0.3332, 0.3337]);
    expect(answer).toEqual({
      type: 'choice',
      choice: 'c',
      confidence: 0.33,
      probabilities: [
        ['a', 0.33],
        ['b', 0.33],
        ['c', 0.33],
      ],
    });
  });

  it('do not depend on the order asked, ties included', () => {
    fc.assert(
      fc.property(logits(20), fc.integer(), (raw, seed) => {
        const values = raw.map((logit, index) => ({ name: `n${index % 7}${index}`, logit: Math.round(logit / 10) }));
        const other = [...values].sort((a, b) => ((a.logit * 31 + seed) % 7) - ((b.logit * 17 + seed) % 5));
        const answers = [values, other].map((order) =>
          choice.answer(
            { type: 'choice', criteria: new Map(order.map(({ name }) => [name, null])) },
            softmax(order.map(({ logit }) => logit)),
          ),
        );
        const byName = (one: choiceAnswer) => [...one.probabilities].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(answers[1]!.choice).toBe(answers[0]!.choice);
        expect(byName(answers[1]!)).toEqual(byName(answers[0]!));
      }),
    );
    type choiceAnswer = ReturnType<typeof choice.answer>;
  });

  it('keep names in the order asked, integer-like ones and __proto__ too', () => {
    const criteria = new Map([
      ['10', null],
      ['__proto__', 'x'],
      ['2', null],
      ['constructor', null],
    ]);
    const { probabilities } = choice.answer({ type: 'choice', criteria }, [0.1, 0.4, 0.3, 0.2]);
    expect(probabilities).toEqual([
      ['10', 0.1],
      ['__proto__', 0.4],
      ['2', 0.3],
      ['constructor', 0.2],
    ]);
    const sent = JSON.parse('{"__proto__": "x", "b": null}') as Record<string, string | null>;
    expect(choice.answer({ type: 'choice', criteria: sent }, [0.7, 0.3]).choice).toBe('__proto__');
  });

  it('average the levels of a score, and name the most probable', () => {
    expect(score.answer({ type: 'score', criteria: { '0': null, '5': 'x', '-3': null } }, [0.25, 0.5, 0.25])).toEqual({
      type: 'score',
      score: 1.75,
      level: 5,
      confidence: 0.5,
      probabilities: [
        ['0', 0.25],
        ['5', 0.5],
        ['-3', 0.25],
      ],
    });
  });

  it('give a number with three decimals of probability and two of confidence', () => {
    expect(number.answer({ type: 'number', min: 0.5, max: 2.5 }, [0.1234, 0.5006, 0.376])).toEqual({
      type: 'number',
      number: 1.5,
      confidence: 0.5,
      probabilities: [
        ['0.5', 0.123],
        ['1.5', 0.501],
        ['2.5', 0.376],
      ],
    });
    expect(truth.answer({ type: 'truth' }, [0.285])).toEqual({ type: 'truth', truth: 0.29 });
  });

  it('walk a grid in decimals, whatever the size of its numbers', () => {
    expect(number.grid({ type: 'number', min: 1234567890123, max: 1234567890125 })).toEqual([
      1234567890123, 1234567890124, 1234567890125,
    ]);
    expect(number.grid({ type: 'number', min: -0.3, max: 2.1, step: 1.2 })).toEqual([-0.3, 0.9, 2.1]);
    expect(number.grid({ type: 'number', min: -1, max: 0 }).map(String)).toEqual(['-1', '0']);
  });
});
