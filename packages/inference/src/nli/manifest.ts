import { object, oneOf, string, whole } from '../bundle/shape.js';
import type { PairLayout } from './pairs.js';

export interface NliArchitecture {
  readonly maxTokens: number;
  readonly layout: PairLayout;
  /** Which logit says that the hypothesis follows, and which that it is ruled out, where the model tells them apart. */
  readonly entailment: number;
  readonly contradiction: number | undefined;
}

/** Premise and hypothesis need some room each. */
const SMALLEST = 64;

export function parseNliArchitecture(value: Readonly<Record<string, unknown>>): NliArchitecture {
  const index = (name: string) =>
    whole(value[name] === 0 ? 1 : value[name], `architecture.${name}`) - (value[name] === 0 ? 1 : 0);
  return {
    maxTokens: Math.max(SMALLEST, whole(value['max_tokens'], 'architecture.max_tokens')),
    layout: oneOf(value['layout'], 'architecture.layout', ['bert', 'roberta']),
    entailment: index('entailment'),
    contradiction: value['contradiction'] === null ? undefined : index('contradiction'),
  };
}

/** What a hub's config.json says about a model, as the manifest's `architecture`. */
export function architectureFromConfig(json: unknown): Readonly<Record<string, unknown>> {
  const config = object(json, 'config.json');
  const roberta = /roberta|camembert|bart/.test(string(config['model_type'], 'model_type'));
  const labels = Object.entries(object(config['id2label'], 'id2label')).map(
    ([index, label]) => [Number(index), string(label, 'id2label').toLowerCase()] as const,
  );
  const entailment = labels.find(([, label]) => label.includes('entail') && !label.includes('not'))?.[0];
  if (entailment === undefined) throw new Error('config.json: no label of id2label says entailment');
  const positions = whole(config['max_position_embeddings'], 'max_position_embeddings');
  return {
    // RoBERTa counts its positions from 2.
    max_tokens: Math.min(512, roberta ? positions - 2 : positions),
    layout: roberta ? 'roberta' : 'bert',
    entailment,
    contradiction: labels.find(([, label]) => label.includes('contradict'))?.[0] ?? null,
  };
}
