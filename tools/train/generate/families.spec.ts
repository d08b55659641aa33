import { answerIndex, candidatesOf, type Example } from '../tokens/example.js';
import { events, type Generated, needles, options, records, rules } from './families.js';
import { hostile } from './hostile.js';
import { Random } from './random.js';

const families = { events, needles, options, records, rules };
const many = (make: (random: Random) => Generated[], seed = 1) => {
  const random = new Random(seed);
  return Array.from({ length: 300 }, () => make(random)).flat();
};

describe.each(Object.entries(families))('%s', (_, make) => {
  it('gives the same data for the same seed, and other data for another', () => {
    expect(many(make)).toEqual(many(make));
    expect(many(make)).not.toEqual(many(make, 2));
  });

  it('has its answer among the candidates', () => {
    for (const example of many(make)) {
      const labelled = { ...example, dataset: 'made', licence: 'own', group: 'made' } as Example;
      expect(answerIndex(labelled, candidatesOf(labelled))).toBeDefined();
      expect(candidatesOf(labelled).length).toBeLessThanOrEqual(256);
    }
  });

  it('claims as much that is false as is true', () => {
    const truths = many(make).filter((example) => example.type === 'truth');
    const share = truths.filter((example) => example.answer).length / truths.length;
    if (truths.length > 0) expect(Math.abs(share - 0.5)).toBeLessThan(0.02);
  });
});

describe('rules', () => {
  it('answers as the policy says', () => {
    for (const example of many(rules).filter(({ type }) => type === 'choice')) {
      const { policy, case: subject } = example.state as { policy: string; case: { amount: number; urgent: boolean } };
      const [, urgent, bound, above, otherwise] = /urgent: (\w+)\.\n.*above (\d+): (\w+)\.\n3.*: (\w+)\./.exec(policy)!;
      expect(example.answer).toBe(subject.urgent ? urgent : subject.amount > Number(bound) ? above : otherwise);
    }
  });
});

describe('hostile', () => {
  const example: Example = {
    dataset: 'd',
    licence: 'l',
    group: 'g',
    type: 'choice',
    state: 'I lost my card.',
    instructions: 'What is it about?',
    criteria: { card: null, loan: null },
    answer: 'card',
  };

  it('dictates an answer and keeps what is right', () => {
    const random = new Random(4);
    const turned = Array.from({ length: 40 }, () => hostile(random, example)!);
    expect(turned.every(({ answer, state }) => answer === 'card' && String(state).includes('I lost my card.'))).toBe(
      true,
    );
    expect(turned.filter(({ state }) => String(state).includes('loan')).length).toBeGreaterThan(20);
  });

  it('leaves numbers and long states alone', () => {
    expect(hostile(new Random(1), { ...example, state: 'x'.repeat(601) })).toBeUndefined();
  });
});
