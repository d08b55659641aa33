import type { JsonValue } from '../../../packages/inference/src/text/json.js';
import { type Asked, ask } from './ask.js';
import type { Random } from './random.js';
import { KINDS, makeThing, prose, show } from './record.js';

export type Generated = Asked & { readonly state: JsonValue; readonly role?: string };

const NAMES = [
  'Alder',
  'Birch',
  'Cedar',
  'Damson',
  'Elm',
  'Fir',
  'Ginkgo',
  'Hazel',
  'Iris',
  'Juniper',
  'Larch',
  'Maple',
];
const ROLES = [
  'You are a careful clerk of a small company.',
  'You decide as an auditor and rely on nothing but the state.',
  'You answer for the support desk.',
  'You are the gatekeeper of a public service and must be strict.',
];

/** One thing, and a role for some of the requests. */
export function records(random: Random): Generated[] {
  const thing = makeThing(random);
  const state = show(random, thing);
  const role = random.chance(0.2) ? { role: random.pick(ROLES) } : {};
  return ask(random, thing).map((asked) => ({ ...asked, ...role, state }));
}

/** Many things of one kind; the question is about one of them. */
export function needles(random: Random): Generated[] {
  const kind = random.pick(KINDS);
  const names = random.some(NAMES, random.whole(3, 12));
  const things = names.map(() => makeThing(random, kind));
  const at = random.whole(0, names.length - 1);
  const state = random.chance(0.5)
    ? things.map((thing, index) => ({ name: names[index]!, ...thing.values }))
    : things.map((thing, index) => `${names[index]}: ${prose(thing)}`).join('\n');
  return ask(random, things[at]!, names[at]).map((asked) => ({ ...asked, state }));
}

const ACTIONS = ['opened', 'locked', 'painted', 'inspected', 'sold', 'repaired'];
const OBJECTS = ['the gate', 'the barn', 'the boat', 'the pump', 'the ledger', 'the tower'];

/** A stream of events, one text each: who did what last, and how often. */
export function events(random: Random): Generated[] {
  const people = random.some(NAMES, 4);
  const stream = Array.from({ length: random.whole(3, 9) }, () => ({
    actor: random.pick(people),
    action: random.pick(ACTIONS.slice(0, 3)),
    object: random.pick(OBJECTS.slice(0, 3)),
  }));
  const last = stream.at(-1)!;
  const state = stream.map((event) => `${event.actor} ${event.action} ${event.object}.`);
  const { actor } = random.pick(stream);
  const other = random.pick(people.filter((person) => person !== last.actor));
  const count = stream.filter((event) => event.actor === actor).length;
  const options = Object.fromEntries(people.map((person) => [person, null]));
  return [
    { type: 'choice', instructions: 'Who acted last?', criteria: options, answer: last.actor, state },
    { type: 'number', instructions: `How often did ${actor} act?`, min: 0, max: stream.length, answer: count, state },
    { type: 'truth', instructions: `The last event was by ${last.actor}.`, answer: true, state },
    { type: 'truth', instructions: `The last event was by ${other}.`, answer: false, state },
  ];
}

/** Rules with thresholds and one case that they are applied to. */
export function rules(random: Random): Generated[] {
  const outcomes = random.some(['accept', 'refuse', 'escalate', 'ask_again', 'archive'], 3);
  const bound = random.whole(10, 90);
  const value = random.whole(0, 100);
  const urgent = random.chance(0.3);
  const policy = [
    `1. If the case is urgent: ${outcomes[0]}.`,
    `2. If the amount is above ${bound}: ${outcomes[1]}.`,
    `3. Otherwise: ${outcomes[2]}.`,
  ].join('\n');
  const answer = urgent ? outcomes[0]! : value > bound ? outcomes[1]! : outcomes[2]!;
  const state = { policy, case: { amount: value, urgent } };
  const criteria = Object.fromEntries(random.shuffled(outcomes).map((outcome) => [outcome, null]));
  const wrong = random.pick(outcomes.filter((outcome) => outcome !== answer));
  const said = (outcome: string) => `Under the policy the case ends with ${outcome.replace('_', ' ')}.`;
  return [
    { type: 'choice', instructions: 'Apply the policy to the case.', criteria, answer, state },
    { type: 'truth', instructions: said(answer), answer: true, state },
    { type: 'truth', instructions: said(wrong), answer: false, state },
  ];
}

/** One code among many: up to 255 options without descriptions. */
export function options(random: Random): Generated[] {
  const count = random.chance(0.2) ? random.whole(60, 255) : random.whole(8, 40);
  const codes = new Set<string>();
  while (codes.size < count) codes.add(`${random.pick(NAMES).toLowerCase()}_${random.whole(1, 60)}`);
  const all = [...codes];
  const answer = random.pick(all);
  const state = `The parcel for ${answer.replace('_', ' ')} has arrived and waits at the desk.`;
  const criteria = Object.fromEntries(all.map((code) => [code, null]));
  return [{ type: 'choice', instructions: 'Which shelf is named?', criteria, answer, state }];
}
