import { type JsonValue, type Named, type Question, renderState } from '@assay/inference';

/** The parts of a decide request that the check reads. */
export interface CheckedRequest {
  readonly instructions?: string | null | undefined;
  readonly state?: JsonValue | undefined;
  readonly questions: Named<Question>;
}

/** Questions are read in parts of this many characters, so that none escapes by standing last. */
const ASKED_CHARACTERS = 700;
const PARTS = 12;
/** A state is not what is asked; its beginning and end give the questions their meaning. */
const STATE_HEAD = 500;
const STATE_TAIL = 200;
/** Nothing further than this from either end of a state's text is read. */
export const EXCERPT_REACH = Math.max(STATE_HEAD, STATE_TAIL);

const entriesOf = <Value>(named: Named<Value>): [string, Value][] =>
  named instanceof Map ? [...named] : Object.entries(named as { readonly [name: string]: Value });

const described = (criteria: Named<string | null | undefined>): string =>
  entriesOf(criteria)
    .map(([name, description]) => (description ? `${name}: ${description}` : name))
    .join('; ');

function questionText(question: Question): string {
  const asked = question.instructions ?? '';
  if (question.type === 'number' || !question.criteria) return asked;
  return `${asked} ${described(question.type === 'truth' ? { ...question.criteria } : question.criteria)}`.trim();
}

function excerpt(text: string): string {
  if (text.length <= STATE_HEAD + STATE_TAIL) return text;
  return `${text.slice(0, STATE_HEAD)} ... ${text.slice(-STATE_TAIL)}`;
}

function parts(texts: readonly string[]): string[] {
  const cut: string[] = [];
  for (const text of texts) {
    const last = cut.at(-1);
    if (last !== undefined && last.length + text.length < ASKED_CHARACTERS) {
      cut[cut.length - 1] = `${last}\n${text}`;
      continue;
    }
    for (let at = 0; at < Math.max(1, text.length); at += ASKED_CHARACTERS)
      cut.push(text.slice(at, at + ASKED_CHARACTERS));
  }
  return cut;
}

/**
 * What the check scores one by one: a bounded part of what is asked, then the view of the state, which is the same for
 * each. Over the bound of parts, the first and the last are kept.
 */
export function whatIsAsked({ instructions, state, questions }: CheckedRequest): string[][] {
  const role = instructions ? [instructions] : [];
  const asked = entriesOf(questions).map(([, question]) => questionText(question));
  const all = parts([...role, ...asked]);
  const kept = all.length <= PARTS ? all : [...all.slice(0, PARTS / 2), ...all.slice(-PARTS / 2)];
  const about = state === undefined ? '' : excerpt(renderState(state).join('\n'));
  return kept.map((part) => (about === '' ? [part] : [part, about]));
}
