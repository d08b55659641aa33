import type { CheckedRequest } from '../asked.js';
import type { SafetyScorer } from '../scorer.js';

const LIVE = { priority: 'live' } as const;

const REQUEST: CheckedRequest = {
  state: { room: 'kitchen', people: 2 },
  questions: { empty: { type: 'truth', instructions: 'Is the room empty?' } },
};

/** What every scorer keeps, whatever it reads and however well it judges. */
export function itScores(open: () => Promise<SafetyScorer>): void {
  let scorer: SafetyScorer;
  beforeAll(async () => {
    scorer = await open();
  });

  it('gives a probability for each category', async () => {
    const scores = await scorer.score(REQUEST, LIVE);
    expect(Object.keys(scores).sort()).toEqual(['harm', 'self_harm']);
    for (const probability of [...Object.values(scores), ...Object.values(scorer.thresholds)]) {
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
    }
  });

  it('gives the same request the same scores, whatever runs beside it', async () => {
    const alone = await scorer.score(REQUEST, LIVE);
    const other: CheckedRequest = { ...REQUEST, instructions: 'Answer as the night porter.', state: 'A full house.' };
    const together = await Promise.all([
      scorer.score(other, LIVE),
      scorer.score(REQUEST, LIVE),
      scorer.score(other, LIVE),
    ]);
    expect(together[1]).toEqual(alone);
  });

  it('reads requests without a state, and very long ones', async () => {
    await expect(scorer.score({ questions: REQUEST.questions }, LIVE)).resolves.toBeDefined();
    const question = { type: 'truth', instructions: 'Is it so? '.repeat(500) } as const;
    const questions = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`q${n}`, question]));
    await expect(scorer.score({ state: 'word '.repeat(20_000), questions }, LIVE)).resolves.toBeDefined();
  });

  it('stops for a caller that has left', async () => {
    await expect(scorer.score(REQUEST, { ...LIVE, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow();
  });
}
