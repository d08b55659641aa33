import { whatIsAsked } from './asked.js';

const truth = (instructions: string) => ({ type: 'truth', instructions }) as const;

describe('what the check reads', () => {
  it('is what is asked, with the instructions and the options, and then the state', () => {
    const [texts, ...rest] = whatIsAsked({
      instructions: 'You sort mail.',
      state: { subject: 'late parcel' },
      questions: { team: { type: 'choice', instructions: 'Which team?', criteria: { a: 'billing', b: null } } },
    });
    expect(rest).toEqual([]);
    expect(texts).toEqual(['You sort mail.\nWhich team? a: billing; b', 'subject: late parcel']);
  });

  it('holds every question, in bounded parts that all see the state', () => {
    const questions = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`q${n}`, truth(`Is thing number ${n} ${'very '.repeat(20)}good?`)]),
    );
    const texts = whatIsAsked({ state: 'the state', questions });
    expect(texts.length).toBeGreaterThan(1);
    for (const [asked, about] of texts) {
      expect(about).toBe('the state');
      expect(asked!.length).toBeLessThanOrEqual(700);
    }
    for (let n = 0; n < 30; n++) expect(texts.some(([asked]) => asked!.includes(`number ${n} `))).toBe(true);
  });

  it('reads one long question to its end, and a long state at both ends', () => {
    const texts = whatIsAsked({
      state: `begin ${'middle '.repeat(1000)} end`,
      questions: { q: truth(`${'so much text '.repeat(300)} and the point`) },
    });
    expect(texts.some(([asked]) => asked!.includes('and the point'))).toBe(true);
    expect(texts[0]![1]).toMatch(/^begin middle[\s\S]+ end$/);
  });

  it('is bounded however much is asked', () => {
    const texts = whatIsAsked({ questions: { q: truth(`first ${'x '.repeat(100_000)} last`) } });
    expect(texts).toHaveLength(12);
    expect(texts[0]![0]).toContain('first');
    expect(texts[11]![0]).toContain('last');
  });
});
