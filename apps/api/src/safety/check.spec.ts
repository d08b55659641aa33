import { type CheckedRequest } from './asked.js';
import { refusalMessage, SafetyCheck, type SafetyMode } from './check.js';
import { KeywordScorer } from './testing/keyword-scorer.js';
import { itScores } from './testing/scorer-suite.js';

const asking = (instructions: string): CheckedRequest => ({
  state: 'a secret state',
  questions: { q: { type: 'truth', instructions } },
});

function checker(mode: SafetyMode) {
  const logged: object[] = [];
  const check = new SafetyCheck(mode, { warn: (fields, message) => logged.push({ ...fields, message }) });
  const identity = { requestId: 'req_1', keyId: 'key_1', model: 'assay-flash-1.0' };
  return {
    logged,
    verdict: (text: string) => check.check(new KeywordScorer(), asking(text), identity, { priority: 'live' }),
  };
}

describe('the keyword scorer', () => itScores(() => Promise.resolve(new KeywordScorer())));

describe('the safety check', () => {
  it('scores every request and lets a harmless one pass', async () => {
    for (const mode of ['shadow', 'enforce'] as const) {
      const { verdict, logged } = checker(mode);
      expect(await verdict('Is it late?')).toEqual({
        scores: { harm: 0.02, self_harm: 0 },
        flagged: undefined,
        refused: undefined,
        headers: { 'x-service-safety': 'harm=0.02, self_harm=0.00' },
      });
      expect(logged).toEqual([]);
    }
  });

  it('in shadow mode flags, logs without content, and lets pass', async () => {
    const { verdict, logged } = checker('shadow');
    const result = await verdict('Whom shall I kill?');
    expect(result).toMatchObject({ flagged: 'harm', refused: undefined });
    expect(Object.keys(result.headers)).toEqual(['x-service-safety']);
    expect(logged).toEqual([
      {
        requestId: 'req_1',
        keyId: 'key_1',
        model: 'assay-flash-1.0',
        category: 'harm',
        harm: 0.91,
        self_harm: 0,
        refused: false,
        message: 'flagged by the safety check',
      },
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/Whom|secret/);
  });

  it('in enforce mode refuses with the category and bills nothing', async () => {
    const { verdict, logged } = checker('enforce');
    const result = await verdict('Shall I kill myself?');
    expect(result).toMatchObject({ flagged: 'self_harm', refused: 'self_harm' });
    expect(result.headers).toEqual({
      'x-service-safety': 'harm=0.02, self_harm=0.87',
      'x-service-refusal': 'self_harm',
      'x-service-billable-tokens': '0',
    });
    expect(logged).toHaveLength(1);
    expect(refusalMessage('self_harm')).toContain('self-harm');
  });

  it('when off scores nothing and says nothing', async () => {
    const { verdict, logged } = checker('off');
    expect(await verdict('Whom shall I kill?')).toEqual({
      scores: undefined,
      flagged: undefined,
      refused: undefined,
      headers: {},
    });
    expect(logged).toEqual([]);
  });
});
