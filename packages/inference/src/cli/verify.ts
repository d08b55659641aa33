import { parseArgs } from 'node:util';
import { findBundles } from '../bundle/registry.js';
import type { Engine } from '../engine/engine.js';
import { Models } from '../engine/models.js';
import type { Question } from '../questions/question.js';
import { type Command, DEFAULT_ROOT } from './command.js';

/** Short, long, alone and with others: what a processor that computes unevenly would answer unevenly. */
const STATES = ['The parcel came late.', ['One.', { two: 2, three: [3, 3.5] }], 'It was paid twice. '.repeat(120)];
const QUESTIONS: { readonly [name: string]: Question } = {
  choice: {
    type: 'choice',
    instructions: 'What is it about?',
    criteria: { delivery: 'A parcel.', money: null, other: null },
  },
  truth: { type: 'truth', instructions: 'The customer is unhappy.' },
  score: { type: 'score', instructions: 'How urgent is it?' },
};

export const verify: Command = {
  name: 'verify',
  usage: 'verify [--models FOLDER]',
  summary: 'checks every file, and that answers are the same to the bit on this processor',
  async run(args, say) {
    const { values } = parseArgs({ args: [...args], options: { models: { type: 'string', default: DEFAULT_ROOT } } });
    if ((await findBundles([values.models])).length === 0) throw new Error(`no models in ${values.models}`);
    const models = await Models.open({ roots: [values.models] });
    try {
      let differing = 0;
      for (const engine of models.list()) {
        const same = await isSame(engine);
        say(`${engine.model.id}\tfiles match\t${same ? 'same to the bit' : 'ANSWERS DIFFER WITH THEIR COMPANY'}`);
        if (!same) differing += 1;
      }
      return differing === 0 ? 0 : 1;
    } finally {
      await models.close();
    }
  },
};

async function isSame(engine: Engine): Promise<boolean> {
  for (const state of STATES) {
    const logits = async (questions: { readonly [name: string]: Question }) => {
      const decision = await engine.answer(engine.prepare({ state, questions }), { priority: 'live' });
      return new Map(Array.from(decision.scores, ([name, scores]) => [name, JSON.stringify(scores.logits)]));
    };
    const together = await logits(QUESTIONS);
    for (const [name, question] of Object.entries(QUESTIONS)) {
      if ((await logits({ [name]: question })).get(name) !== together.get(name)) return false;
    }
  }
  return true;
}
