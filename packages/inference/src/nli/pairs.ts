import type { HubTokenizer } from './tokenizer.js';

/** How a model wants premise and hypothesis joined. */
export type PairLayout = 'bert' | 'roberta';

/** The tokens of one run, and 1 where the hypothesis stands. */
export interface Pair {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

export interface ControlIds {
  readonly first: number;
  readonly end: number;
}

export function controlIds(tokenizer: HubTokenizer): ControlIds {
  const first = tokenizer.special('[CLS]', '<s>');
  const end = tokenizer.special('[SEP]', '</s>');
  if (first === undefined || end === undefined)
    throw new Error('tokenizer.json has no [CLS] and [SEP], nor <s> and </s>');
  return { first, end };
}

/** Room for the premise beside a hypothesis. */
export function premiseRoom(layout: PairLayout, maxTokens: number, hypothesis: number): number {
  return maxTokens - hypothesis - (layout === 'bert' ? 3 : 4);
}

/** The premise in windows that fit, each with the whole hypothesis: nothing of either is cut off. */
export function pairsOf(
  layout: PairLayout,
  control: ControlIds,
  premise: readonly number[],
  hypothesis: readonly number[],
  maxTokens: number,
): Pair[] {
  const room = premiseRoom(layout, maxTokens, hypothesis.length);
  const between = layout === 'bert' ? [control.end] : [control.end, control.end];
  const pairs: Pair[] = [];
  for (let from = 0; from === 0 || from < premise.length; from += room) {
    const head = [control.first, ...premise.slice(from, from + room), ...between];
    const tail = [...hypothesis, control.end];
    pairs.push({ ids: [...head, ...tail], types: [...head.map(() => 0), ...tail.map(() => 1)] });
  }
  return pairs;
}
