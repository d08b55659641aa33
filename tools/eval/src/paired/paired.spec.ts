import { answers } from '../evaluate.js';
import type { Example } from '../examples/example.js';
import { ChancePredictor } from '../predictors/chance.js';
import { type Predictor, RefusedError } from '../predictors/predictor.js';
import { compare, RecordingMismatchError } from './compare.js';
import { type Recording, record } from './recording.js';

const asked = (n: number): Example => ({
  dataset: 'set',
  licence: 'own',
  source: 'here',
  split: 'eval',
  group: 'group',
  state: `state ${n}`,
  instructions: null,
  type: 'choice',
  criteria: { a: '', b: '' },
  min: null,
  max: null,
  step: null,
  answer: 'b',
});

const examples = Array.from({ length: 100 }, (_, n) => asked(n));

/** Right about the first `right` examples. */
const predictor = (right: number): Predictor => ({
  name: `right about ${right}`,
  close: () => Promise.resolve(),
  answer: (example) => {
    const choice = Number(String(example.state).slice(6)) < right ? 'b' : 'a';
    return Promise.resolve({ type: 'choice', choice, confidence: 1, probabilities: [[choice, 1]] });
  },
});

async function recording(of: Predictor): Promise<Recording> {
  const kept = record(of.name, await answers(of, examples, 8));
  return JSON.parse(JSON.stringify(kept)) as Recording;
}

describe('the paired comparison', () => {
  it('passes the recorded model and any better one', async () => {
    const recorded = await recording(predictor(80));
    expect(compare(recorded, recorded, 0)).toMatchObject({ passed: true, lost: 0, gained: 0 });
    expect(compare(recorded, await recording(predictor(90)), 0)).toMatchObject({ passed: true, gained: 10 });
  });

  it('fails a worse model beyond the margin only', async () => {
    const recorded = await recording(predictor(80));
    const worse = await recording(predictor(77));
    expect(compare(recorded, worse, 0.03).passed).toBe(true);
    expect(compare(recorded, worse, 0.02)).toMatchObject({ passed: false, lost: 3, drop: 0.03 });
    expect(compare(recorded, await recording(new ChancePredictor()), 0.02).passed).toBe(false);
  });

  it('counts a refused example as lost', async () => {
    const refusing: Predictor = { ...predictor(80), answer: () => Promise.reject(new RefusedError('no')) };
    expect(compare(await recording(predictor(80)), await recording(refusing), 0.5)).toMatchObject({ lost: 80 });
  });

  it('does not compare answers to different examples', async () => {
    const recorded = await recording(predictor(80));
    const other = record('other', await answers(predictor(80), [...examples.slice(1), asked(500)], 1));
    expect(() => compare(recorded, other, 1)).toThrow(RecordingMismatchError);
    const fewer = record('fewer', await answers(predictor(80), examples.slice(1), 1));
    expect(() => compare(recorded, fewer, 1)).toThrow(RecordingMismatchError);
  });

  it('lets an error that is no refusal end the run', async () => {
    const broken: Predictor = { ...predictor(80), answer: () => Promise.reject(new Error('disk')) };
    await expect(answers(broken, examples, 4)).rejects.toThrow('disk');
  });
});
