import type { SafetyCategory } from './category.js';

/** What a model that was not fitted is asked about every request: a weak judge, see the figures beside the labelled set. */
export const STATEMENTS: { readonly [category in SafetyCategory]: string } = {
  harm: 'The request asks whom to hurt, attack or kill.',
  self_harm: 'The writer asks for help to hurt or kill themselves.',
};
