import { type DecideRequest, limits } from '@assay/contract';
import type { JsonValue, Named, Question } from '@assay/inference';
import { Refusal } from '../http/refusal.js';
import { isAnswerableFromFaces } from '../images/reading/answerable.js';

/** Counted before any picture is looked at. */
export function refuseTooMany({ images = [], collections = [] }: Pick<DecideRequest, 'images' | 'collections'>): void {
  if (images.length > limits.images.value)
    throw new Refusal('api_usage_error', { message: limits.images.message(images.length) });
  if (collections.length > limits.collections.value)
    throw new Refusal('api_usage_error', { message: limits.collections.message(collections.length) });
}

const SHOWN_CHARACTERS = 64;
const READABLE =
  'the installed models read in a picture how many faces it shows, where and how large, and who they are in the collections named';
const ADVICE = 'Ask only for that, in plain English, and ask questions about the text without the images.';

const entriesOf = <Value>(named: Named<Value>): [string, Value][] =>
  named instanceof Map ? [...named] : Object.entries(named as { readonly [name: string]: Value });

/** What may be answered; a truth question's `true` and `false` are not the caller's words. */
function criteriaOf(question: Question): string[] {
  if (question.type === 'number') return [];
  if (question.type === 'truth') return Object.values(question.criteria ?? {}).map((description) => description ?? '');
  return entriesOf(question.criteria ?? {}).flatMap(([name, description]) => [name, description ?? '']);
}

/** A question about a picture that no installed model can answer is never answered from nothing. */
export function refuseUnreadable(questions: Named<Question>, searching: boolean): void {
  for (const [name, question] of entriesOf(questions)) {
    if (
      isAnswerableFromFaces(
        { instructions: question.instructions ?? undefined, criteria: criteriaOf(question) },
        searching,
      )
    )
      continue;
    const shown = JSON.stringify([...name].slice(0, SHOWN_CHARACTERS).join(''));
    throw new Refusal('api_usage_error', {
      message: `Question ${shown} cannot be answered beside images: ${READABLE}. ${ADVICE}`,
    });
  }
}

/** The state with what was read in the pictures as its last blocks. */
export function withPictures(
  state: JsonValue | undefined,
  pictures: readonly { readonly text: string }[],
): JsonValue[] {
  const blocks = state === undefined ? [] : Array.isArray(state) ? state : [state];
  return [...blocks, ...pictures.map(({ text }) => text)];
}
