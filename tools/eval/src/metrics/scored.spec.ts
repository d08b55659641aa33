import type { Example } from '../examples/example.js';
import { AnswerMismatchError, scored } from './scored.js';

const example = (part: Partial<Example> & Pick<Example, 'type' | 'answer'>): Example => ({
  dataset: 'set',
  licence: 'own',
  source: 'here',
  split: 'eval',
  group: 'group',
  state: 'a state',
  instructions: 'a question',
  criteria: null,
  min: null,
  max: null,
  step: null,
  ...part,
});

describe('an answer against its label', () => {
  it('choice', () => {
    const asked = example({ type: 'choice', answer: 'b', criteria: { a: '', b: '', c: '' } });
    const probabilities = Object.entries({ a: 0.6, b: 0.3, c: 0.1 });
    const result = scored(asked, { type: 'choice', choice: 'a', confidence: 0.6, probabilities });
    expect(result).toMatchObject({ correct: false, confidence: 0.6, candidates: 3, absoluteError: null });
    expect(result.outcome).toEqual({ probability: 0.6, happened: false });
    expect(result.brier).toBeCloseTo(0.36 + 0.49 + 0.01, 12);
  });

  it('truth counts the event "it is true", and is sure of a false claim at a low probability', () => {
    const result = scored(example({ type: 'truth', answer: false }), { type: 'truth', truth: 0.2 });
    expect(result).toMatchObject({ correct: true, confidence: 0.8, candidates: 1, predicted: 'false' });
    expect(result.outcome).toEqual({ probability: 0.2, happened: false });
    expect(result.brier).toBeCloseTo(0.04, 12);
  });

  it('score is right by its level, and off by its weighted mean', () => {
    const probabilities = Object.entries({ '1': 0, '2': 0.25, '3': 0.75 });
    const asked = example({ type: 'score', answer: 3, criteria: { '1': '', '2': '', '3': '' } });
    const result = scored(asked, { type: 'score', score: 2.75, level: 3, confidence: 0.75, probabilities });
    expect(result.correct).toBe(true);
    expect(result.absoluteError).toBeCloseTo(0.25, 12);
  });

  it('number is right on the very value, and off by the distance', () => {
    const asked = example({ type: 'number', answer: 4, min: 0, max: 10, step: 2 });
    const result = scored(asked, {
      type: 'number',
      number: 8,
      confidence: 0.5,
      probabilities: Object.entries({ '8': 0.5, '4': 0.5 }),
    });
    expect(result).toMatchObject({ correct: false, absoluteError: 4, candidates: 6 });
  });

  it('an answer of another type is an error, not a wrong answer', () => {
    const asked = example({ type: 'number', answer: 4, min: 0, max: 10 });
    expect(() => scored(asked, { type: 'truth', truth: 0.5 })).toThrow(AnswerMismatchError);
  });
});
