import type { Example } from '../examples/example.js';
import { candidateNames } from '../examples/example.js';
import type { Answer } from '../metrics/scored.js';
import type { Predictor } from './predictor.js';

/** Reads nothing: every candidate is as likely as the next. The floor that a model has to leave behind. */
export class ChancePredictor implements Predictor {
  readonly name = 'chance';

  answer(example: Example): Promise<Answer> {
    if (example.type === 'truth') return Promise.resolve({ type: 'truth', truth: 0.5 });
    const names = candidateNames(example);
    const confidence = 1 / names.length;
    const probabilities = names.map((name) => [name, confidence] as const);
    const first = names[0]!;
    switch (example.type) {
      case 'choice':
        return Promise.resolve({ type: 'choice', choice: first, confidence, probabilities });
      case 'score': {
        const levels = names.map(Number);
        const score = levels.reduce((sum, level) => sum + level, 0) / levels.length;
        return Promise.resolve({ type: 'score', score, level: levels[0]!, confidence, probabilities });
      }
      case 'number': {
        const middle = names[Math.floor(names.length / 2)]!;
        return Promise.resolve({ type: 'number', number: Number(middle), confidence, probabilities });
      }
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
