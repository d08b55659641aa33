import { type EvalOptions, UsageError } from '../options.js';
import { BundlePredictor } from './bundle.js';
import { ChancePredictor } from './chance.js';
import type { Predictor } from './predictor.js';
import { ServicePredictor } from './service.js';

const KEY = 'ASSAY_API_KEY';

export async function openPredictor(target: EvalOptions['target']): Promise<Predictor> {
  switch (target.kind) {
    case 'chance':
      return new ChancePredictor();
    case 'bundle':
      return BundlePredictor.open(target.folder);
    case 'service': {
      const key = process.env[KEY];
      if (!key) throw new UsageError(`the key is expected in ${KEY}`);
      return ServicePredictor.open(target.baseUrl, key, target.model);
    }
  }
}
