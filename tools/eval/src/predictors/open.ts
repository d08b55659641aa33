import type { EvalOptions } from '../options.js';
import { ChancePredictor } from './chance.js';
import type { Predictor } from './predictor.js';

export async function openPredictor(target: EvalOptions['target']): Promise<Predictor> {
  switch (target.kind) {
    case 'chance':
      return new ChancePredictor();
    default:
      throw new Error(target.kind);
  }
}
