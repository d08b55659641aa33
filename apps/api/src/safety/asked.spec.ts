import { whatIsAsked } from './asked.js';

const truth = (instructions: string) => ({ type: 'truth', instructions }) as const;

describe('what the check reads', () => {
  it('is what is asked, with the instructions, the options and the state', () => {
    const [text, ...rest] = whatIsAsked({
      instructions: 'You sort mail.',
      state: { subject: 'late parcel' },
      questions: { team: { type: 'choice', instructions: 'Which team?', criteria: { a: 'billing', b: null } } },
    });
    expect(rest).toEqual([]);
    for (const piece of ['You sort mail.', 'Which team?', 'a: billing', 'subject: late parcel'])
      expect(text).toContain(piece);
    expect(text!.indexOf('Which team?')).toBeLessThan(text!.indexOf('late parcel'));
  });

  it('holds every question, in bounded parts that all see the state', () => {
    const questions = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`q${n}`, truth(`Is thing number ${n} ${'very '.repeat(20)}good?`)]),
    );
    const texts = whatIsAsked({ state: 'the state', questions });
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) {
      expect(text).toContain('the state');
      expect(text.length).toBeLessThan(1600);
    }
    for (let n = 0; n < 30; n++) expect(texts.some((text) => text.includes(`number ${n} `))).toBe(true);
  });

  it('reads one long question to its end, and a long state at both ends', () => {
    const texts = whatIsAsked({
      state: `begin ${'middle '.repeat(1000)} end`,
      questions: { q: truth(`${'so much text '.repeat(300)} and the point`) },
    });
    expect(texts.some((text) => text.includes('and the point'))).toBe(true);
    expect(texts[0]).toMatch(/begin middle[\s\S]+ end$/);
  });

  it('is bounded however much is asked', () => {
    const texts = whatIsAsked({ questions: { q: truth(`first ${'x '.repeat(100_000)} last`) } });
    expect(texts).toHaveLength(32);
    expect(texts[0]).toContain('first');
    expect(texts[31]).toContain('last');
  });
});
